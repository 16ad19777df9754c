import { jobCommand } from '@lyceum/jobs';
import { deadLetterCommands, raiseEpochCommand } from '@lyceum/messaging';
import { migrateCommand } from '@lyceum/platform';
import { authEnvironment } from '#src/auth.environment.js';
import { databaseOptions } from '#src/database/options.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { MAILS } from '#src/mails/mails.queue.js';
import { RESET_REQUESTS } from '#src/password-links/reset-requests.queue.js';
import { ApplySeed, readSeed } from './apply.js';
import { cimdCommand } from './cimd.command.js';
import { clientCommand } from './client.command.js';
import { command, options, print } from './command-line.js';
import type { AuthCommand } from './command-line.js';
import { personCommand } from './person.command.js';
import { republishCommand } from './republish.command.js';
import { siteCommand } from './site.command.js';

/** `node dist/main.js <word> …` */
export const commands: Readonly<Record<string, AuthCommand>> = {
  migrate: migrateCommand(databaseOptions),
  apply: command(
    '<file.json>: sites, people and clients as the file says; prints them with their ids',
    async (context, [file]) => {
      if (file === undefined) throw new Error('the file is missing: apply <file.json>');
      print(await context.get(ApplySeed).apply(await readSeed(file)));
    },
  ),
  site: siteCommand,
  person: personCommand,
  client: clientCommand,
  cimd: cimdCommand,
  key: command('rotate: publishes the next signing key; it signs a day later', async (context, args) => {
    options(args, 'rotate', {});
    print({ kid: await context.get(KeyRing).rotate() });
  }),
  republish: republishCommand,
  'raise-epoch': raiseEpochCommand({ name: 'auth', environment: authEnvironment, database: databaseOptions }),
  'dead-letters': deadLetterCommands('auth'),
  'dead-jobs': jobCommand({
    name: 'auth',
    environment: authEnvironment,
    database: databaseOptions,
    queues: [MAILS, RESET_REQUESTS],
  }),
};
