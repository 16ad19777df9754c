import { deadLetterCommands, raiseEpochCommand } from '@lyceum/messaging';
import { acceptJson, migrateCommand } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { BODY_LIMIT, useRest } from '@lyceum/rest';
import { useSites } from '@lyceum/resource-server';
import { AdminApiModule } from './admin-api.module.js';
import { environment } from './configuration.js';
import type { Configuration } from './configuration.js';
import { databaseOptions } from './database.js';
import { republishCommand } from './republication/republish.command.js';
import { applyCommand } from './seed/apply.command.js';

export const adminApi: ServiceDefinition<Configuration> = {
  name: 'admin-api',
  environment,
  module: (config) => AdminApiModule.forRoot(config),
  configure: (app) => {
    useSites(app);
    useRest(app);
    // The media type of JSON Merge Patch (RFC 7396 §4).
    acceptJson(app.getHttpAdapter().getInstance(), 'application/merge-patch+json');
  },
  bodyLimit: BODY_LIMIT,
  commands: {
    migrate: migrateCommand<Configuration>(databaseOptions),
    apply: applyCommand,
    republish: republishCommand,
    'raise-epoch': raiseEpochCommand({ name: 'admin-api', environment, database: databaseOptions }),
    'dead-letters': deadLetterCommands('admin-api'),
  },
};
