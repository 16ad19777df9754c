import { endJobsCommand, jobCommand } from '@lyceum/jobs';
import { deadLetterCommands, raiseEpochCommand, siteExportCommand } from '@lyceum/messaging';
import { UsageError, migrateCommand, readJsonFile } from '@lyceum/platform';
import { databaseOptions } from '#src/database/options.js';
import { SITE_EXPORT } from '#src/database/site-export.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { CLIENT_LOGOS } from '#src/client-logos/client-logos.queue.js';
import { EMAIL_LINK_REQUESTS } from '#src/email-links/email-link-requests.queue.js';
import { MAILS } from '#src/mails/mails.queue.js';
import { RESET_REQUESTS } from '#src/password-links/reset-requests.queue.js';
import { ApplySeed, seedSchema } from './apply.js';
import { cimdCommand } from './cimd.command.js';
import { clientCommand } from './client.command.js';
import { inContext, options, print, subcommands } from './command-line.js';
import type { AuthCommand } from './command-line.js';
import { personCommand } from './person.command.js';
import { republishCommand } from './republish.command.js';
import { siteCommand } from './site.command.js';

const service = { name: 'auth', database: databaseOptions };
const MAIL_QUEUES = [MAILS, RESET_REQUESTS, EMAIL_LINK_REQUESTS];

/** `node dist/main.js <word> …` */
export const commands: Readonly<Record<string, AuthCommand>> = {
  migrate: migrateCommand(databaseOptions),
  apply: {
    summary: '<file.json>: sites, people and clients as the file says; prints them with their ids',
    run: async (config, [file]) => {
      if (file === undefined) throw new UsageError('the file is missing: apply <file.json>');
      const seed = await readJsonFile(file, seedSchema);
      await inContext(config, async (context) => print(await context.get(ApplySeed).apply(seed)));
    },
  },
  site: siteCommand,
  person: personCommand,
  client: clientCommand,
  cimd: cimdCommand,
  key: subcommands(
    'rotate: publishes the next signing key; it signs a day later · re-encrypt: encrypts the signing keys under the first KEY_ENCRYPTION_KEY',
    {
      rotate: async (context, args) => {
        options(args, 'rotate', {});
        return { kid: await context.get(KeyRing).rotate() };
      },
      're-encrypt': async (context, args) => {
        options(args, 're-encrypt', {});
        return { re_encrypted: await context.get(KeyRing).reEncrypt() };
      },
    },
  ),
  republish: republishCommand,
  'raise-epoch': raiseEpochCommand(service),
  'export-site': siteExportCommand({ ...service, exported: () => SITE_EXPORT }),
  'dead-letters': deadLetterCommands('auth'),
  'dead-jobs': jobCommand({ ...service, queues: [...MAIL_QUEUES, CLIENT_LOGOS] }),
  'end-jobs': endJobsCommand({ ...service, queues: MAIL_QUEUES }),
};
