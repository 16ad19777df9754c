import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { NODE, WORKSPACE } from './workspace.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-orphans-'));
const LOCAL = join(WORKSPACE, 'deploy/local/dist');
const parents: ChildProcess[] = [];
afterAll(() => {
  for (const parent of parents) parent.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** A process that starts servers and prints their pids. */
async function parentOf(script: string): Promise<{ parent: ChildProcess; pids: number[] }> {
  const whole = `
    const directory = ${JSON.stringify(mkdtempSync(join(directory, 'run-')))};
    const { startPostgres, startNats } = await import('${LOCAL}/index.js');
    const { startChild } = await import('${LOCAL}/child.js');
    ${script}
    setInterval(() => {}, 1000);`;
  const parent = spawn(NODE, ['--input-type=module', '-e', whole], { stdio: ['ignore', 'pipe', 'inherit'] });
  parents.push(parent);
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  return { parent, pids: JSON.parse(line) as number[] };
}

/** Ended, or a zombie that its new parent has not reaped yet. */
function gone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? true;
  } catch {
    return true;
  }
}

const untilGone = (pids: readonly number[]): Promise<boolean> => eventually(() => pids.every(gone));

describe('servers whose parent is killed with SIGKILL', () => {
  it('ends PostgreSQL with all its processes, and NATS', async () => {
    const { parent, pids } = await parentOf(`
      const postgres = await startPostgres({ directory: directory + '/postgres', databases: ['auth'], durable: false });
      const nats = await startNats({ directory: directory + '/nats', users: { admin: 'all' }, durable: false }, {});
      console.log(JSON.stringify([...postgres.pids(), nats.pid]));`);
    expect(pids.length).toBeGreaterThan(4);
    expect(pids.some(gone)).toBe(false);
    parent.kill('SIGKILL');
    await expect(untilGone(pids)).resolves.toBe(true);
  });

  const STUBBORN = `trap '' TERM INT; echo ready; while :; do sleep 0.1; done`;

  it('ends them by the supervisor without a death signal, also when they ignore SIGTERM', async () => {
    const { parent, pids } = await parentOf(`
      process.env.PATH = '/nowhere';
      const child = startChild({ name: 'x', command: ['/bin/sh', '-c', ${JSON.stringify(`PATH=/bin:/usr/bin; ${STUBBORN}`)}], stopSignal: 'SIGTERM', logFile: directory + '/x.log' });
      const { readFileSync } = await import('node:fs');
      const { eventually } = await import('${LOCAL}/eventually.js');
      await eventually(() => readFileSync(directory + '/x.log', 'utf8').includes('ready'));
      console.log(JSON.stringify([child.pid]));`);
    parent.kill('SIGKILL');
    await expect(untilGone(pids)).resolves.toBe(true);
  });

  it('ends them by the death signal when the supervisor was killed too', async () => {
    const { parent, pids } = await parentOf(`
      const child = startChild({ name: 'x', command: ['sleep', '1000'], stopSignal: 'SIGTERM', logFile: directory + '/x.log' });
      console.log(JSON.stringify([child.pid]));`);
    const supervisors = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    for (const pid of supervisors.filter((other) => !pids.includes(other))) process.kill(pid, 'SIGKILL');
    expect(pids.some(gone)).toBe(false);
    parent.kill('SIGKILL');
    await expect(untilGone(pids)).resolves.toBe(true);
  });
});
