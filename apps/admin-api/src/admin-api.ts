import { deadLetterCommands } from '@lyceum/messaging';
import { migrateCommand } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { useSites } from '@lyceum/resource-server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AdminApiModule } from './admin-api.module.js';
import { environment } from './configuration.js';
import type { Configuration } from './configuration.js';
import { databaseOptions } from './database.js';
import { BODY_LIMIT } from './limits/body-limit.js';
import { republishCommand } from './republication/republish.command.js';
import { applyCommand } from './seed/apply.command.js';

/** JSON Merge Patch has a media type of its own (RFC 7396 §4); it is JSON all the same. */
function acceptMergePatch(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, parse);
}

export const adminApi: ServiceDefinition<Configuration> = {
  name: 'admin-api',
  environment,
  module: (config) => AdminApiModule.forRoot(config),
  configure: (app) => {
    useSites(app);
    acceptMergePatch(app);
  },
  bodyLimit: BODY_LIMIT,
  commands: {
    migrate: migrateCommand<Configuration>(databaseOptions),
    apply: applyCommand,
    republish: republishCommand,
    'dead-letters': deadLetterCommands('admin-api'),
  },
};
