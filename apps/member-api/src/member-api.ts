import type { DynamicModule } from '@nestjs/common';
import { deadLetterCommands, raiseEpochCommand, rebuildCommand } from '@lyceum/messaging';
import { migrateCommand } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { useSites } from '@lyceum/resource-server';
import { environment } from './configuration.js';
import type { Configuration } from './configuration.js';
import { SERVICE, databaseOptions } from './database.js';
import { ignoreForms } from './mails/forms.js';
import { MemberApiModule } from './member-api.module.js';

const moduleOf = (config: Configuration): DynamicModule => MemberApiModule.forRoot(config);

export const memberApi: ServiceDefinition<Configuration> = {
  name: SERVICE,
  environment,
  module: moduleOf,
  configure: (app) => {
    useSites(app);
    ignoreForms(app.getHttpAdapter().getInstance());
  },
  bodyLimit: 256 * 1024,
  commands: {
    migrate: migrateCommand<Configuration>(databaseOptions),
    rebuild: rebuildCommand({ name: SERVICE, environment, module: moduleOf, database: databaseOptions }),
    'raise-epoch': raiseEpochCommand({ name: SERVICE, environment, database: databaseOptions }),
    'dead-letters': deadLetterCommands(SERVICE),
  },
};
