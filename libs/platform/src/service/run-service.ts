import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import { Logger as Nest } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { ConfigurationError, readConfiguration } from '../configuration/configuration.js';
import type { ServiceConfiguration } from '../configuration/environment.js';
import { LogDestination } from '../telemetry/log-destination.js';
import { NestLogger, createLogger } from '../process/logger.js';
import type { Logger } from '../process/logger.js';
import { runAsCommand } from '../telemetry/request-context.js';
import { parseRole } from '../process/roles.js';
import type { Role } from '../process/roles.js';
import { startService } from './service.js';
import type { RunningService, ServiceDefinition } from './service.js';
import { UsageError } from '../configuration/usage-error.js';

/** Exit codes of sysexits.h, which process managers show. */
const EX_USAGE = 64;
const EX_CONFIG = 78;
const SIGNALS = { SIGTERM: 15, SIGINT: 2 } as const;

/**
 * The entry point of a service: reads the configuration from the environment, then serves or runs the subcommand in the
 * arguments. SIGTERM and SIGINT drain and exit 0; a second signal exits at once. Exit codes: 1 refused command or
 * unexpected error, 64 unknown subcommand, role or argument, 78 invalid configuration (every fault is on stderr).
 */
export async function runService<C extends ServiceConfiguration>(definition: ServiceDefinition<C>): Promise<void> {
  const [word = 'serve', ...args] = process.argv.slice(2);
  const command = word === 'serve' ? undefined : definition.commands?.[word];
  if (word !== 'serve' && command === undefined) {
    const isHelp = word === 'help' || word === '--help';
    (isHelp ? process.stdout : process.stderr).write(usage(definition));
    process.exit(isHelp ? 0 : EX_USAGE);
  }
  const role = word === 'serve' ? roleOf(definition, args) : undefined;
  const config = configure(definition);
  const logger = createLogger({
    service: definition.name,
    level: config.LOG_LEVEL,
    ...(command === undefined ? {} : { destination: new LogDestination(2) }),
  });
  // Node and libraries warn on stderr. A full disk must not cause an exception here.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    try {
      logger.fatal({ err: error }, 'an exception was not caught');
    } finally {
      // Also when logging fails: an exception here would exit with Node's own code 7.
      process.exit(1);
    }
  });
  if (command !== undefined) {
    Nest.overrideLogger(new NestLogger(logger));
    await attempt(logger, `${word} failed`, () =>
      runAsCommand(() => command.run(config, args)).catch((error: unknown) =>
        refuse(`${definition.name} ${word}`, error),
      ),
    );
    process.exit(0);
  }
  const replica = role === undefined ? definition : { ...definition, role };
  const service = await attempt(logger, 'the service could not start', () => startService(replica, config, logger));
  stopOnSignal(service, config, logger);
  logger.info({ url: service.url, management_url: service.managementUrl }, 'serving');
  // The next start takes the code that this one has compiled, if NODE_COMPILE_CACHE names a folder.
  flushCompileCache();
}

function roleOf<C extends ServiceConfiguration>(definition: ServiceDefinition<C>, args: string[]): Role | undefined {
  try {
    return parseRole(args, definition.background);
  } catch (error) {
    process.stderr.write(`${definition.name}: ${(error as Error).message}\n${usage(definition)}`);
    process.exit(EX_USAGE);
  }
}

function configure<C extends ServiceConfiguration>(definition: ServiceDefinition<C>): C {
  try {
    return readConfiguration(definition.environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${definition.name}: ${error.message}\n`);
    process.exit(EX_CONFIG);
  }
}

/** Ends a command that the caller can correct with its message alone. Rethrows any other error. */
function refuse(command: string, error: unknown): never {
  if (!(error instanceof UsageError) && !(error instanceof ApiError)) throw error;
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(error instanceof UsageError ? EX_USAGE : 1);
}

async function attempt<T>(logger: Logger, words: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    logger.fatal({ err: error }, words);
    process.exit(1);
  }
}

function stopOnSignal(service: RunningService, config: ServiceConfiguration, logger: Logger): void {
  let stopping = false;
  const stop = async (signal: keyof typeof SIGNALS): Promise<void> => {
    if (stopping) process.exit(128 + SIGNALS[signal]);
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('the shutdown hooks did not end in time');
      process.exit(1);
    }, config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS).unref();
    await attempt(logger, 'stopping failed', () => service.close());
    logger.info('stopped');
    process.exit(0);
  };
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process.on(signal, () => void stop(signal));
}

function usage<C extends ServiceConfiguration>(definition: ServiceDefinition<C>): string {
  const commands = Object.entries(definition.commands ?? {}).map(([word, { summary }]) => [word, summary] as const);
  const roles =
    definition.background === undefined ? '' : `; --role=http or --role=${definition.background} does a part`;
  const lines = [['serve', `serve until SIGTERM (the default)${roles}`] as const, ...commands];
  // The bundle, or the modules.
  const file = relative(process.cwd(), process.argv[1] ?? 'main.js');
  return `${definition.name}: node ${file} [command]\n${lines.map(([word, text]) => `  ${word.padEnd(14)} ${text}\n`).join('')}`;
}
