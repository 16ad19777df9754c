import { parseArgs } from 'node:util';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { UsageError, runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { InfrastructureModule } from '#src/infrastructure.module.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { CommandsModule } from './commands.module.js';

export type AuthCommand = Command<AuthConfiguration>;

export const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const module = (config: AuthConfiguration): DynamicModule => ({
  module: CommandsModule,
  imports: [InfrastructureModule.forRoot(config)],
});

export const inContext = (
  config: AuthConfiguration,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> => runInContext({ name: 'auth', module }, config, work, { logger: false });

export function command(
  summary: string,
  run: (context: INestApplicationContext, args: readonly string[]) => Promise<void>,
): AuthCommand {
  return { summary, run: (config, args) => inContext(config, (context) => run(context, args)) };
}

export type Run = (context: INestApplicationContext, args: readonly string[]) => Promise<unknown>;

const asksForHelp = (args: readonly string[]): boolean => args[0] === 'help' || args.includes('--help');

/**
 * A command with subcommands, whose usage the summary has, separated by ` · `. The result is printed. `help` and
 * `--help` print the usage and need no database.
 */
export function subcommands(summary: string, runs: Readonly<Record<string, Run>>): AuthCommand {
  const usage = summary.split(' · ').map((line) => `  ${line}\n`);
  return {
    summary,
    run: async (config, args) => {
      if (asksForHelp(args)) return void process.stdout.write(usage.join(''));
      const run = Object.hasOwn(runs, args[0] ?? '') ? runs[args[0] ?? ''] : undefined;
      const given = args[0] === undefined ? 'a subcommand is missing' : `${args[0]} is not a subcommand`;
      if (run === undefined) throw new UsageError(`${given}. Use one of these:\n${usage.join('')}`);
      await inContext(config, async (context) => print(await run(context, args)));
    },
  };
}

/**
 * `--name value` pairs after the subcommand, all required unless they have a default.
 *
 * @throws `UsageError` with all options that are missing
 */
export function options(
  args: readonly string[],
  word: string,
  defaults: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (args[0] !== word) throw new UsageError(`the subcommand must be ${word}`);
  const names = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]));
  const values = parsed(args.slice(1), names);
  const missing = Object.entries(defaults).filter(([name, fallback]) => (values[name] ?? fallback) === undefined);
  if (missing.length > 0) {
    const listed = missing.map(([name]) => `--${name}`).join(', ');
    throw new UsageError(`${listed} ${missing.length === 1 ? 'is' : 'are'} missing`);
  }
  return Object.fromEntries(Object.entries(defaults).map(([name, fallback]) => [name, values[name] ?? fallback ?? '']));
}

type Names = Readonly<Record<string, { readonly type: 'string' }>>;

/** `--name=value` in place of `--name value`. A client_id can begin with a dash, which `parseArgs` would refuse. */
function joined(args: readonly string[], options: Names): string[] {
  const isName = (arg = '') => arg.startsWith('--') && Object.hasOwn(options, arg.slice(2));
  const all: string[] = [];
  for (const arg of args) {
    const last = all.at(-1);
    if (arg.startsWith('-') && !isName(arg.split('=')[0]) && isName(last)) all.splice(-1, 1, `${last}=${arg}`);
    else all.push(arg);
  }
  return all;
}

/** @throws `UsageError` for an unknown option, an option without its value, and a word that is no option */
function parsed(args: readonly string[], options: Names): Readonly<Record<string, string | undefined>> {
  try {
    return parseArgs({ args: joined(args, options), options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export async function siteAt(context: INestApplicationContext, baseUrl: string): Promise<SiteRecord> {
  const site = await context.get(SitesService).byOrigin(baseUrl);
  if (site === undefined) throw new UsageError(`no site has the base URL ${baseUrl}`);
  return site;
}
