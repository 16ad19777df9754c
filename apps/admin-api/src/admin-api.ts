import { jobCommand } from '@lyceum/jobs';
import { deadLetterCommands, raiseEpochCommand, siteExportCommand } from '@lyceum/messaging';
import { acceptJson, migrateCommand } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { BODY_LIMIT, useRest } from '@lyceum/rest';
import { showUnknownPaths, useResourceServer } from '@lyceum/resource-server';
import { storeOf } from '@lyceum/storage';
import { AdminApiModule } from './admin-api.module.js';
import { environment } from './configuration.js';
import type { Configuration } from './configuration.js';
import { databaseOptions } from './database.js';
import { EXPORTS } from './exports/export.queue.js';
import { serveLocalFiles } from './files/local-files.js';
import { servePublicFiles } from './files/public-files.js';
import { IMPORTS } from './imports/import.queue.js';
import { PAGE_DEPLOYMENTS } from './page-deployments/page-deployment.queue.js';
import { servePublicPages } from './public-pages/public-pages.js';
import { reEncryptCommand } from './republication/re-encrypt.command.js';
import { rebuildAnalyticsCommand } from './republication/rebuild-analytics.command.js';
import { republishCommand } from './republication/republish.command.js';
import { applyCommand } from './seed/apply.command.js';
import { filesOf } from './site-data/site-files.js';
import { WEBHOOK_ERASURES } from './webhook-deliveries/webhook-erasure.queue.js';

export const adminApi: ServiceDefinition<Configuration> = {
  name: 'admin-api',
  environment,
  module: (config) => AdminApiModule.forRoot(config),
  configure: (app) => {
    useResourceServer(app);
    showUnknownPaths(app);
    useRest(app);
    serveLocalFiles(app);
    servePublicFiles(app);
    servePublicPages(app);
    // The media type of JSON Merge Patch (RFC 7396 §4).
    acceptJson(app.getHttpAdapter().getInstance(), 'application/merge-patch+json');
  },
  bodyLimit: BODY_LIMIT,
  notFoundHint: 'The reference of the API is at /docs, and its description at /openapi.json.',
  background: 'jobs',
  commands: {
    migrate: migrateCommand<Configuration>(databaseOptions),
    apply: applyCommand,
    republish: republishCommand,
    'rebuild-analytics': rebuildAnalyticsCommand,
    're-encrypt': reEncryptCommand,
    'raise-epoch': raiseEpochCommand<Configuration>({ name: 'admin-api', database: databaseOptions }),
    'export-site': siteExportCommand<Configuration>({
      name: 'admin-api',
      database: databaseOptions,
      exported: (config) => ({
        omits: ['exports', 'idempotency_keys', 'imports', 'webhook_erasures', 'webhook_queues'],
        files: (siteId) => filesOf(storeOf(config), siteId),
      }),
    }),
    'dead-letters': deadLetterCommands('admin-api'),
    'dead-jobs': jobCommand<Configuration>({
      name: 'admin-api',
      database: databaseOptions,
      queues: [EXPORTS, IMPORTS, PAGE_DEPLOYMENTS, WEBHOOK_ERASURES],
    }),
  },
};
