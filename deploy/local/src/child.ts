import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { keep, release } from './supervisor.js';

export interface ChildOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The signal for an orderly stop. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  /** Both output streams are appended here. */
  readonly logFile: string;
  /** Put before the command, to take away privileges. */
  readonly prefix?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly running: boolean;
  readonly exited: Promise<Exit>;
  /** The last lines of its log, for an error message. */
  tail(): string;
  /** Sends the stop signal, and SIGKILL after `patience` milliseconds. */
  stop(patience?: number): Promise<Exit>;
  /** SIGKILL, at once. */
  kill(): Promise<Exit>;
}

const LOG_BYTES = 10_000_000;

/** The last lines of a log. A device such as /dev/full has none. */
export function tailOf(file: string): string {
  return existsSync(file) && statSync(file).isFile()
    ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-30).join('\n')
    : '';
}

/** The log of a data directory that is used for months: one older part is kept. */
function rotate(file: string): void {
  if (existsSync(file) && statSync(file).size > LOG_BYTES) renameSync(file, `${file}.old`);
}

/** Names that a child may take from our environment. Nothing else: a stray DATABASE_URL must not reach a service. */
const INHERITED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_ALL',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  // `npm test` keeps compiled code for the services that suites start.
  'NODE_COMPILE_CACHE',
];

export function inheritedEnvironment(): Record<string, string> {
  const entries = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * `setpriv --pdeathsig`: the kernel ends the child with its parent. A fallback for the supervisor, where util-linux
 * exists.
 */
let deathSignal: boolean | undefined;
function parentDeathPrefix(signal: string): string[] {
  deathSignal ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).status === 0;
  return deathSignal ? ['setpriv', '--pdeathsig', signal.replace('SIG', ''), '--'] : [];
}

export function startChild(options: ChildOptions): Child {
  const { name, logFile, stopSignal } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  rotate(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const [file = '', ...args] = [...(options.prefix ?? []), ...parentDeathPrefix(stopSignal), ...options.command];
  const child = spawn(file, args, {
    // A separate session: Ctrl-C in the terminal reaches only the parent, which ends the children in order.
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...inheritedEnvironment(), ...options.environment },
    ...(options.cwd ? { cwd: options.cwd } : {}),
  });
  closeSync(log);
  const pid = child.pid ?? -1;
  let running = pid > 0;
  if (running) keep(pid, stopSignal);
  const exited = new Promise<Exit>((resolve) => {
    const end = (exit: Exit): void => {
      if (running) release(pid);
      running = false;
      resolve(exit);
    };
    child.once('exit', (code, signal) => end({ code, signal }));
    child.once('error', () => end({ code: 127, signal: null }));
  });
  const send = (signal: NodeJS.Signals): void => {
    if (running) process.kill(pid, signal);
  };
  return {
    name,
    pid,
    logFile,
    exited,
    get running() {
      return running;
    },
    tail: () => tailOf(logFile),
    async stop(patience = 10_000) {
      send(stopSignal);
      const timer = setTimeout(() => send('SIGKILL'), patience);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
    kill: () => {
      send('SIGKILL');
      return exited;
    },
  };
}

/** Runs a command to its end. Returns its standard output. The error has the last lines of its output. */
export async function runCommand(
  options: Omit<ChildOptions, 'stopSignal' | 'logFile'> & { readonly input?: string },
): Promise<string> {
  const [file = '', ...args] = [...(options.prefix ?? []), ...options.command];
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...inheritedEnvironment(), ...options.environment },
    ...(options.cwd ? { cwd: options.cwd } : {}),
  });
  if (child.pid) keep(child.pid, 'SIGTERM');
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text));
  }
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const exit = await new Promise<Exit & { error?: Error }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: 127, signal: null, error }));
  });
  if (child.pid) release(child.pid);
  if (exit.code === 0) return output.stdout;
  const said = (output.stderr + output.stdout).trimEnd().split('\n').slice(-30).join('\n');
  throw new Error(
    `${options.name} failed (${exit.error?.message ?? exit.signal ?? `exit code ${exit.code}`})\n${said}`,
  );
}
