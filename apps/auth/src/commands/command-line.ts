import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { PlatformModule, createPlatform } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { InfrastructureModule } from '#src/infrastructure.module.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { CommandsModule } from './commands.module.js';

export type AuthCommand = Command<AuthConfiguration>;

export const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

async function inContext(
  config: AuthConfiguration,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const platform = PlatformModule.forRoot(createPlatform('auth'));
  const imports = [platform, InfrastructureModule.forRoot(config)];
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

export function command(
  summary: string,
  run: (context: INestApplicationContext, args: readonly string[]) => Promise<void>,
): AuthCommand {
  return { summary, run: (config, args) => inContext(config, (context) => run(context, args)) };
}

export type Run = (context: INestApplicationContext, args: readonly string[]) => Promise<unknown>;

/** A command with subcommands. The result is printed. */
export function subcommands(summary: string, runs: Readonly<Record<string, Run>>): AuthCommand {
  return command(summary, async (context, args) => {
    const run = runs[args[0] ?? ''];
    if (run === undefined) throw new Error(`the subcommand must be one of ${Object.keys(runs).join('|')}`);
    print(await run(context, args));
  });
}

/** `--name value` pairs after the subcommand, all required unless they have a default. */
export function options(
  args: readonly string[],
  word: string,
  defaults: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (args[0] !== word) throw new Error(`the subcommand must be ${word}`);
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

export async function siteAt(context: INestApplicationContext, baseUrl: string): Promise<SiteRecord> {
  const site = await context.get(SitesService).byOrigin(baseUrl);
  if (site === undefined) throw new Error(`no site has the base URL ${baseUrl}`);
  return site;
}
