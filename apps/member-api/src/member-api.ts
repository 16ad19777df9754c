import type { DynamicModule } from '@nestjs/common';
import { endJobsCommand, jobCommand } from '@lyceum/jobs';
import { deadLetterCommands, raiseEpochCommand, rebuildCommand, siteExportCommand } from '@lyceum/messaging';
import { migrateCommand } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { showUnknownPaths, useResourceServer } from '@lyceum/resource-server';
import { environment } from './configuration.js';
import type { Configuration } from './configuration.js';
import { SERVICE, databaseOptions } from './database.js';
import { FAN_OUTS } from './fan-outs/fan-outs.queue.js';
import { ignoreForms } from './mails/forms.js';
import { MAILS } from './mails/mails.queue.js';
import { MemberApiModule } from './member-api.module.js';
import { REMINDERS } from './reminders/reminders.queue.js';

const moduleOf = (config: Configuration): DynamicModule => MemberApiModule.forRoot(config);

const jobs = { name: SERVICE, database: databaseOptions, queues: [FAN_OUTS, REMINDERS, MAILS] };

export const memberApi: ServiceDefinition<Configuration> = {
  name: SERVICE,
  environment,
  module: moduleOf,
  configure: (app) => {
    useResourceServer(app);
    showUnknownPaths(app);
    ignoreForms(app.getHttpAdapter().getInstance());
  },
  bodyLimit: 256 * 1024,
  background: 'consumers',
  commands: {
    migrate: migrateCommand<Configuration>(databaseOptions),
    rebuild: rebuildCommand({ name: SERVICE, module: moduleOf, database: databaseOptions }),
    'raise-epoch': raiseEpochCommand<Configuration>({ name: SERVICE, database: databaseOptions }),
    'export-site': siteExportCommand<Configuration>({
      name: SERVICE,
      database: databaseOptions,
      exported: () => ({ omits: [] }),
    }),
    'dead-letters': deadLetterCommands(SERVICE),
    'dead-jobs': jobCommand<Configuration>(jobs),
    'end-jobs': endJobsCommand<Configuration>(jobs),
  },
};
