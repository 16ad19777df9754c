import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { roleSchema, splitScope } from '@lyceum/contracts';
import { deadLetterCommands } from '@lyceum/messaging';
import { PlatformModule, createPlatform, migrateCommand } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { IdentityModule } from '#src/identity.module.js';
import { databaseOptions } from '#src/database/options.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { Administration } from './administration.js';
import { ApplySeed, readSeed } from './apply.js';
import { CommandsModule } from './commands.module.js';

type AuthCommand = Command<AuthConfiguration>;

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

async function inContext(
  config: AuthConfiguration,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const platform = PlatformModule.forRoot(createPlatform('auth'));
  const imports = [platform, IdentityModule.forRoot(config)];
  const context = await NestFactory.createApplicationContext(
    { module: CommandsModule, imports },
    { logger: false, abortOnError: false },
  );
  try {
    await work(context);
  } finally {
    await context.close();
  }
}

function command(
  summary: string,
  run: (context: INestApplicationContext, args: readonly string[]) => Promise<void>,
): AuthCommand {
  return { summary, run: (config, args) => inContext(config, (context) => run(context, args)) };
}

/** `--name value` pairs after the second word, all required unless they have a default. */
function options(
  args: readonly string[],
  word: string,
  defaults: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (args[0] !== word) throw new Error(`the only thing to do here is: ${word}`);
  const names = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: args.slice(1), options: names, strict: true });
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => {
      const value = values[name] ?? fallback;
      if (typeof value !== 'string') throw new Error(`--${name} is missing`);
      return [name, value];
    }),
  );
}

async function siteAt(context: INestApplicationContext, baseUrl: string): Promise<SiteRecord> {
  const site = await context.get(SitesService).byOrigin(baseUrl);
  if (site === undefined) throw new Error(`there is no site ${baseUrl}`);
  return site;
}

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
  key: command('rotate: publishes the next signing key; it signs a day later', async (context, args) => {
    options(args, 'rotate', {});
    print({ kid: await context.get(KeyRing).rotate() });
  }),
  'dead-letters': deadLetterCommands('auth'),
};
