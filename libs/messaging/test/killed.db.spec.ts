import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { closeServices, messagingDatabase, sleep } from './service.js';

let nats: TestNats;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  nats = await testNats();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await closeServices();
  await nats.stop();
});

interface Process {
  /** Complete lines of its standard output. */
  readonly lines: string[];
  kill(): Promise<void>;
}

function run(program: 'writer' | 'consumer', service: string, DATABASE_URL: string, ...args: string[]): Process {
  const child = spawn(process.execPath, [join(__dirname, `processes/${program}.mjs`), ...args], {
    env: { ...nats.environment(service), DATABASE_URL, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return {
    lines,
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      children.delete(child);
    },
  };
}

test('loses no committed event and applies none twice when writers and consumers are killed at work', async () => {
  const [school, learner] = [await messagingDatabase(), await messagingDatabase()];
  const source = await new DataSource({ type: 'postgres', url: learner }).initialize();
  await source.query('CREATE TABLE applied (event_id uuid, version int)');
  const committed: number[] = [];
  for (let round = 1; round <= 2; round += 1) {
    // Each round has its own numbers: the last event of a round may be committed without being printed.
    const writer = run('writer', 'admin-api', school, `${round}00000`, `${round}99999`);
    const reader = run('consumer', 'member-api', learner);
    await eventually(() => writer.lines.length > 50 && reader.lines.length > 0);
    // Both are at work, and the moment of the kill is any.
    await sleep(100);
    await Promise.all([writer.kill(), reader.kill()]);
    committed.push(...writer.lines.map(Number));
  }
  // No writer is left. The next process of the service relays the last writer's outbox.
  run('writer', 'admin-api', school, '1', '1');
  run('consumer', 'member-api', learner);
  const count = async (): Promise<{ versions: Set<number>; rows: number; events: number }> => {
    const rows: { event_id: string; version: number }[] = await source.query('SELECT event_id, version FROM applied');
    const events = new Set(rows.map(({ event_id }) => event_id));
    return { versions: new Set(rows.map(({ version }) => version)), rows: rows.length, events: events.size };
  };
  await eventually(async () => {
    const { versions } = await count();
    return committed.every((version) => versions.has(version));
  });
  const { rows, events, versions } = await count();
  expect(committed.length).toBeGreaterThan(100);
  expect(rows).toBe(events);
  expect(rows).toBe(versions.size);
  await source.destroy();
});
