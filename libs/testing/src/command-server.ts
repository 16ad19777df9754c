import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WORKSPACE } from '@lyceum/local';
import type { CommandRequest } from './start-command-server.js';

/** Commands need this much of a service. */
interface Definition {
  readonly environment: object;
  readonly commands: Readonly<Record<string, { run(config: unknown, args: readonly string[]): Promise<void> }>>;
}
type ReadConfiguration = (schema: object, environment: Readonly<Record<string, string>>) => unknown;
type RunAsCommand = <T>(work: () => T) => T;

/**
 * Runs commands of auth for the tests, in one process: each process of its own would load all modules, which takes two
 * seconds of a core. Prints its address and runs until its standard input ends.
 */
const folder = join(WORKSPACE, 'apps/auth');
const platform = dirname(createRequire(join(folder, 'package.json')).resolve('@lyceum/platform'));
const [{ auth }, { readConfiguration }, { runAsCommand }] = await Promise.all([
  load<{ readonly auth: Definition }>(join(folder, 'dist/auth.definition.js')),
  load<{ readonly readConfiguration: ReadConfiguration }>(join(platform, 'configuration/configuration.js')),
  load<{ readonly runAsCommand: RunAsCommand }>(join(platform, 'telemetry/request-context.js')),
]);

function load<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(file).href) as Promise<Module>;
}

/** Runs a command. Returns what it printed. */
async function run({ environment, words: [word = '', ...args] }: CommandRequest): Promise<string> {
  const command = auth.commands[word];
  if (command === undefined) throw new Error(`auth has no command ${word}`);
  const config = readConfiguration(auth.environment, environment);
  const { write } = process.stdout;
  let printed = '';
  process.stdout.write = (text: string | Uint8Array): boolean => {
    printed += text.toString();
    return true;
  };
  try {
    await runAsCommand(() => command.run(config, args));
  } finally {
    process.stdout.write = write;
  }
  return printed;
}

async function bodyOf(request: IncomingMessage): Promise<CommandRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as CommandRequest;
}

/** The end of the last command: one runs at a time, because its output is that of the process. */
let turn: Promise<unknown> = Promise.resolve();
const server = createServer((request, response) => {
  const respond = (status: number, text: string): void => void response.writeHead(status).end(text);
  void bodyOf(request).then((given) => {
    turn = turn
      .then(() => run(given))
      .then(
        (printed) => respond(200, printed),
        (error: unknown) => respond(422, error instanceof Error ? error.message : String(error)),
      );
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
for await (const _ of process.stdin);
process.exit(0);
