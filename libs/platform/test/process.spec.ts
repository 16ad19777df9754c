import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FIXTURE = join(__dirname, 'fixture-service.mjs');

class Run {
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | string>;
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(args: string[], env: Record<string, string>) {
    const { PATH = '' } = process.env;
    const base = {
      PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      MANAGEMENT_PORT: '0',
      SHUTDOWN_DELAY_MS: '0',
      SECRET: 'hunter2',
    };
    this.#child = spawn(process.execPath, [FIXTURE, ...args], { env: { ...base, ...env } });
    this.#child.stdout.on('data', (chunk: Buffer) => (this.stdout += String(chunk)));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.stderr += String(chunk)));
    this.exited = once(this.#child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async until(words: string): Promise<void> {
    while (!`${this.stdout}${this.stderr}`.includes(words)) {
      if (this.#child.exitCode !== null) throw new Error(`The process ended before "${words}": ${this.stderr}`);
      await sleep(5);
    }
  }

  async url(): Promise<string> {
    await this.until('"serving"');
    const lines = this.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    return lines.find((line) => line['message'] === 'serving')?.['url'] ?? '';
  }
}

const runs: Run[] = [];
function run(args: string[] = [], env: Record<string, string> = {}): Run {
  const started = new Run(args, env);
  runs.push(started);
  return started;
}

beforeAll(() => {
  if (!existsSync(join(__dirname, '../dist/index.js'))) throw new Error('Build the package first: this runs its dist');
});
afterEach(async () => {
  for (const started of runs.splice(0)) {
    started.signal('SIGKILL');
    await started.exited;
  }
});

describe('a service as a process', () => {
  it('prints its commands on stdout for help, and on stderr for an unknown word, with the file to run', async () => {
    const usage = `fixture: node ${relative(process.cwd(), FIXTURE)} [command]\n  serve `;
    const [help, unknown] = [run(['help']), run(['nothing'])];
    expect([await help.exited, await unknown.exited]).toEqual([0, 64]);
    expect([help.stdout, help.stderr]).toEqual([expect.stringContaining(usage), '']);
    expect([unknown.stdout, unknown.stderr]).toEqual(['', help.stdout]);
  });

  it('exits with 78 and names all faults, and no value, for an invalid configuration', async () => {
    const started = run([], { PORT: 'eighty', SECRET: 'abcd' });
    expect(await started.exited).toBe(78);
    expect(started.stderr).toContain('PORT: ');
    expect(started.stderr).toContain('SECRET: ');
    expect(started.stderr).not.toMatch(/eighty|abcd/);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends open requests and exits with 0 on %s', async (signal) => {
    const started = run();
    const slow = fetch(`${await started.url()}/slow`);
    await started.until('slow begins');
    started.signal(signal);
    expect((await slow).status).toBe(200);
    expect(await started.exited).toBe(0);
  });

  it('exits immediately on a second signal', async () => {
    const started = run();
    const stuck = fetch(`${await started.url()}/stuck`).catch(() => undefined);
    await started.until('stuck begins');
    started.signal('SIGTERM');
    await started.until('"stopping"');
    started.signal('SIGTERM');
    expect(await started.exited).toBe(143);
    await stuck;
  });

  it('exits at the shutdown time limit', async () => {
    const started = run([], { SHUTDOWN_TIMEOUT_MS: '300' });
    const stuck = fetch(`${await started.url()}/stuck`).catch(() => undefined);
    await started.until('stuck begins');
    started.signal('SIGTERM');
    expect(await started.exited).toBe(0);
    expect(started.stdout).toContain('cut off');
    await stuck;
  });

  it('logs an uncaught error and exits with 1', async () => {
    const started = run();
    const crash = fetch(`${await started.url()}/crash`).catch(() => undefined);
    expect(await started.exited).toBe(1);
    expect(started.stdout).toContain('a fault without a handler');
    await crash;
  });

  it('exits with 1 and the reason when its port is in use', async () => {
    const first = run();
    const port = new URL(await first.url()).port;
    const second = run([], { PORT: port });
    expect(await second.exited).toBe(1);
    expect(second.stdout).toContain('EADDRINUSE');
  });
});

describe('a subcommand', () => {
  it('gets its arguments, and stdout for its result alone', async () => {
    const started = run(['echo', 'a', '--b']);
    expect(await started.exited).toBe(0);
    expect(JSON.parse(started.stdout)).toEqual({ args: ['a', '--b'], secret: 7 });
  });

  it('exits with 1 and an error on stderr when it fails', async () => {
    const started = run(['fail']);
    expect(await started.exited).toBe(1);
    expect(started.stderr).toContain('the command failed');
    expect(started.stdout).toBe('');
  });

  it.each([
    ['misuse', 64, '--a, --b are missing'],
    ['refuse', 1, 'The thing does not exist'],
  ])('ends %s with %d and one line on stderr', async (word, code, message) => {
    const started = run([word]);
    expect(await started.exited).toBe(code);
    expect([started.stdout, started.stderr]).toEqual(['', `fixture ${word}: ${message}\n`]);
  });

  it('rejects a role that the service does not have', async () => {
    const service = run(['serve', '--role=http']);
    expect(await service.exited).toBe(64);
    expect(service.stderr).toContain('fixture: serve takes no options');
  });

  it('rejects an unknown command and lists the commands', async () => {
    const started = run(['ecko']);
    expect(await started.exited).toBe(64);
    expect(started.stderr).toMatch(/serve .*\n.*echo .*print the arguments/);
  });
});
