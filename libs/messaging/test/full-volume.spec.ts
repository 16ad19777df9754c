import { eventually, memoryVolume, testNats } from '@lyceum/testing';
import type { MemoryVolume, TestNats } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Nats } from '../src/index.js';
import { publishCourse } from './events.js';
import { closeServices, logs, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';
import { asAdmin, storedEvents } from './stored-events.js';

const STATEFUL_SET = join(import.meta.dirname, '../../../deploy/kubernetes/components/nats/stateful-set.yaml');
const MEBIBYTES = 32;
const MESSAGE = new Uint8Array(500_000);

const volume = memoryVolume(MEBIBYTES);
const withVolume = volume === undefined ? describe.skip : describe;

withVolume('NATS on a small volume', () => {
  let nats: TestNats;
  let school: TestService;
  beforeEach(async () => {
    nats = await testNats({ parent: volume!.directory, monitored: true });
    const database = await messagingDatabase();
    school = await startService({ service: 'admin-api', nats: nats.environment('admin-api'), database });
    await school.get(Nats).ready();
  });
  afterEach(async () => {
    await closeServices();
    await nats.stop();
  });
  afterAll(() => volume?.remove());

  async function waiting(): Promise<number> {
    const rows: { n: number }[] = await school.get(DataSource).query('SELECT count(*)::int AS n FROM outbox');
    return rows[0]!.n;
  }

  /** Publishes an event that NATS does not take, and resolves with the reason in the log. */
  async function refusal(): Promise<string> {
    await publishCourse(school, 1);
    const reason = await eventually(() => logs.find((line) => line.includes('the outbox is not moving')));
    expect(await waiting()).toBe(1);
    return reason;
  }

  async function takesWaiting(): Promise<void> {
    await eventually(async () => (await waiting()) === 0);
    expect(await storedEvents(nats)).toHaveLength(1);
  }

  it('refuses messages at the limit of its streams, and takes the waiting events when there is space again', async () => {
    await asAdmin(nats, async (connection) => {
      const { streams } = await jetstreamManager(connection);
      await streams.add({ name: 'BALLAST', subjects: ['ballast'] });
      const error = await untilRefused(() => jetstream(connection).publish('ballast', MESSAGE));
      expect(String(error)).toContain('insufficient resources');
      expect(await refusal()).toContain('insufficient resources');
      expect(isAlive(volume!, nats)).toBe(true);
      await streams.delete('BALLAST');
    });
    await takesWaiting();
  });

  it('restarts by its liveness probe when a write error outlives the full volume, and takes the waiting events', async () => {
    const filler = join(volume!.directory, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(MEBIBYTES * 2 ** 20))).toThrow('ENOSPC');
    await refusal();
    // A restart would not help yet.
    expect(isAlive(volume!, nats)).toBe(true);
    rmSync(filler);
    expect(isAlive(volume!, nats)).toBe(false);
    expect(await waiting()).toBe(1);
    await nats.kill();
    await nats.restart();
    await takesWaiting();
    expect(isAlive(volume!, nats)).toBe(true);
  });
});

async function untilRefused(publish: () => Promise<unknown>): Promise<unknown> {
  for (let n = 0; n < 2 * MEBIBYTES + 1; n += 1) {
    try {
      await publish();
    } catch (error) {
      return error;
    }
  }
  throw new Error('NATS takes more than its volume has.');
}

/** Runs the liveness probe of the pod of NATS, with the port and the volume of this server. */
function isAlive({ directory }: MemoryVolume, { monitorPort }: TestNats): boolean {
  const programs = mkdtempSync(join(tmpdir(), 'lyceum-nc-'));
  // The image of NATS has the `nc` of BusyBox.
  writeFileSync(join(programs, 'nc'), '#!/bin/bash\nexec 3<>"/dev/tcp/$1/$2"\ncat >&3\ncat <&3\n', { mode: 0o755 });
  const script = probeScript().replace(' 8222;', ` ${monitorPort};`).replace(' /data ', ` ${directory} `);
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: `${programs}:/usr/bin:/bin` },
  });
  rmSync(programs, { recursive: true });
  expect(stderr).toBe('');
  return status === 0;
}

function probeScript(): string {
  const [, script] =
    /livenessProbe:\n[^]*?- sh\n\s+- -c\n\s+- \|\n((?: {18}.*\n)+)/.exec(readFileSync(STATEFUL_SET, 'utf8')) ?? [];
  expect(script).toBeDefined();
  return script!;
}
