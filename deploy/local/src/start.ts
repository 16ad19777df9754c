import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { HELP, startOptions, type StartOptions } from '../setup/start-options.mjs';
import { step } from '../setup/step.mjs';
import { tailOf, type Exit } from './child.js';
import { demoFacts, demoTable } from './demo-facts.js';
import { wholeDemo } from './demo-whole.js';
import { demoDefinition } from './demo.js';
import { followLog } from './follow-log.js';
import { lockDirectory } from './instance-lock.js';
import { onParentGone } from './npm-parent.js';
import type { Death } from './part.js';
import { listenFault } from './ports.js';
import { writeServiceEnvironments } from './service-environments.js';
import { runServiceCommand } from './service-process.js';
import { replicaTitle } from './service-replica.js';
import { ServiceWatch } from './service-watch.js';
import { DATABASES } from './services.js';
import { StackMemory } from './stack-memory.js';
import { startStack, type Stack } from './stack.js';
import { WORKSPACE } from './workspace.js';

const DEFAULT_PORT = 8080;

/** `npm start`. Ends with 0 when it was asked to stop, with 1 when something is wrong. */
async function main(): Promise<number> {
  const options = startOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const { data: directory, without, replicas, watch } = options;
  const port = portFor(options);
  const holder = await lockDirectory(directory, `process ${process.pid}, http://localhost:${port}`);
  if (holder !== undefined) {
    throw new Error(
      `Lyceum runs already on ${shown(directory)} (${holder}). Stop that one, ` +
        'or start another beside it: npm start -- --port 9090 --data .lyceum/other',
    );
  }
  await assertFree(port);

  const asked = new Promise<'asked'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('asked'));
    onParentGone(() => resolve('asked'));
  });
  for (const title of shownLogs(options))
    followLog(title, join(directory, 'logs', `${title}.log`), (line) => process.stdout.write(line));
  const developed = watch === undefined ? {} : { developed: { name: watch, onDeath: sayUntilNextChange } };
  const starting = startStack({
    directory,
    edgePort: port,
    durable: true,
    demo: options.small ? demoDefinition : wholeDemo,
    without,
    replicas,
    onReplicaDeath: sayOthersServe,
    step,
    ...developed,
  });
  const stack = await Promise.race([starting, asked]);
  // The supervisor ends all started processes, as after SIGKILL.
  if (stack === 'asked') {
    process.stdout.write('\nstopped\n');
    return 0;
  }

  announce(stack, options);
  const watching = watch === undefined ? undefined : develop(stack, watch);
  const end = await Promise.race([stack.died, asked]);
  if (end !== 'asked') {
    const how = howItEnded(end);
    process.stderr.write(
      `\n${end.name} ended without being asked (${how}), so everything stops. ${shown(end.logFile)} ends with:\n${tailOf(end.logFile)}\n`,
    );
  }
  process.stdout.write('\n');
  await watching?.stop();
  await step('stop', () => stack.stop());
  return end === 'asked' ? 0 : 1;
}

/** The titles of the replicas whose logs are shown. */
function shownLogs({ verbose, watch, replicas }: StartOptions): string[] {
  const services = verbose ? SERVICES : [watch].filter((one) => one !== undefined);
  return services.flatMap((name) =>
    Array.from({ length: replicas[name] ?? 1 }, (_, index) => replicaTitle(name, index + 1)),
  );
}

function sayOthersServe({ name, ...exit }: Death): void {
  process.stderr.write(`\n${name} ended without being asked (${howItEnded(exit)}). Its other replicas go on.\n`);
}

function sayUntilNextChange({ name, ...exit }: Death): void {
  process.stderr.write(`\n${name} ended without being asked (${howItEnded(exit)}). The next change starts it again.\n`);
}

function howItEnded({ signal, code }: Exit): string {
  return signal ?? `exit code ${code}`;
}

/** Builds and restarts one service on change; the others stay as they were started. */
function develop(stack: Stack, service: ServiceName): ServiceWatch {
  process.stdout.write(`Watching the sources of ${service} and of its libs.\n`);
  return new ServiceWatch({
    root: WORKSPACE,
    service: `@lyceum/${service}`,
    restart: async (files) => {
      if (service in DATABASES && files.some((file) => file.includes('migration')))
        await runServiceCommand(service, stack.environment(service), 'migrate');
      await stack.restart(service);
    },
    say: (text) => process.stdout.write(text),
  });
}

/** The port is part of the sites' origins: it stays what it was when the data was made. */
function portFor({ data, port }: StartOptions): number {
  const former = memoryOf(data).edgePort;
  if (port !== undefined && former !== undefined && port !== former) {
    throw new Error(
      `The sites in ${shown(data)} were made for port ${former}. Start without --port, ` +
        `keep other data for port ${port} (--data .lyceum/${port}), or forget this one (npm run reset).`,
    );
  }
  return port ?? former ?? DEFAULT_PORT;
}

function memoryOf(data: string): StackMemory {
  return new StackMemory(join(data, 'memory.json'));
}

async function assertFree(port: number): Promise<void> {
  // Both, because `localhost` may mean either. A machine without IPv6 says EADDRNOTAVAIL to the second.
  const faults = [await listenFault(port, '127.0.0.1'), await listenFault(port, '::1')];
  const other = 'take another port with data of its own: npm start -- --port 9090 --data .lyceum/9090';
  if (faults.includes('EADDRINUSE'))
    throw new Error(`Port ${port} is taken by another program. Stop that program, or ${other}`);
  if (faults[0] !== undefined) throw new Error(`Port ${port} cannot be listened on (${faults[0]}); ${other}`);
}

function announce(stack: Stack, { facts: directory, data, without }: StartOptions): void {
  const facts = demoFacts(stack);
  const file = join(directory, 'demo.json');
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, JSON.stringify(facts, null, 2), { mode: 0o600 });
  writeServiceEnvironments(stack, join(directory, 'env'));
  process.stdout.write(
    `\nLyceum is ready after ${process.uptime().toFixed(1)} s.\n\n${demoTable(facts, shown(file))}\n`,
  );
  for (const line of replicaLines(stack)) process.stdout.write(line);
  for (const name of without) process.stdout.write(`Run ${name} apart: npx nx serve ${name}\n`);
  if (!memoryOf(data).isFilled)
    process.stdout.write('The demo sites are empty: the next start with auth, admin-api and mcp-gateway fills them.\n');
  process.stdout.write(`These facts: ${shown(file)} · logs: ${shown(join(data, 'logs'))} · stop: Ctrl-C\n`);
}

/** The processes of services with several replicas. */
function replicaLines({ services }: Stack): string[] {
  return SERVICES.flatMap((name) => {
    const pids = services.filter((one) => one.name === name).map(({ pid }) => pid);
    return pids.length > 1 ? [`${name} runs ${pids.length} times: processes ${pids.join(', ')}\n`] : [];
  });
}

function shown(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith('..') ? path : inside;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
