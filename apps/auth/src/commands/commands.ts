import { roleSchema, splitScope } from '@lyceum/contracts';
import { deadLetterCommands } from '@lyceum/messaging';
import { migrateCommand } from '@lyceum/platform';
import { databaseOptions } from '#src/database/options.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { SitesService } from '#src/sites/sites.service.js';
import { Administration } from './administration.js';
import { ApplySeed, readSeed } from './apply.js';
import { cimdCommand } from './cimd.command.js';
import { command, options, print, siteAt } from './command-line.js';
import type { AuthCommand } from './command-line.js';

/** `node dist/main.js <word> …` */
export const commands: Readonly<Record<string, AuthCommand>> = {
  migrate: migrateCommand(databaseOptions),
  apply: command(
    '<file.json>: sites, people and clients as the file says; prints them with their ids',
    async (context, [file]) => {
      if (file === undefined) throw new Error('apply <file.json>');
      print(await context.get(ApplySeed).apply(await readSeed(file)));
    },
  ),
  site: command('create --base-url … --name … --slug …', async (context, args) => {
    const given = options(args, 'create', { 'base-url': undefined, name: undefined, slug: undefined });
    const { 'base-url': base_url = '', name = '', slug = '' } = given;
    print(await context.get(SitesService).apply({ base_url, name, slug }));
  }),
  person: command('invite --site <base url> --email … --name … [--role owner]', async (context, args) => {
    const given = options(args, 'invite', { site: undefined, email: undefined, name: undefined, role: 'owner' });
    const { site = '', email = '', name = '', role } = given;
    const at = await siteAt(context, site);
    print(await context.get(Administration).invite(at, { email, name, role: roleSchema.parse(role) }));
  }),
  client: command(
    'create --site … --name … --audience member|operator --redirect-uri … --scope "…" [--confidential yes]',
    async (context, args) => {
      const given = options(args, 'create', {
        site: undefined,
        name: undefined,
        audience: undefined,
        'redirect-uri': undefined,
        scope: undefined,
        confidential: 'no',
      });
      const { site = '', name = '', audience, scope = '', confidential } = given;
      if (audience !== 'member' && audience !== 'operator') throw new Error('--audience is member or operator');
      const redirect_uris = splitScope(given['redirect-uri'] ?? '');
      const definition = {
        name,
        audience,
        redirect_uris,
        scopes: splitScope(scope),
        confidential: confidential === 'yes',
      } as const;
      print(await context.get(Administration).createClient(await siteAt(context, site), definition));
    },
  ),
  cimd: cimdCommand,
  key: command('rotate: publishes the next signing key; it signs a day later', async (context, args) => {
    options(args, 'rotate', {});
    print({ kid: await context.get(KeyRing).rotate() });
  }),
  'dead-letters': deadLetterCommands('auth'),
};
