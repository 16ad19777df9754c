import { setTimeout } from 'node:timers/promises';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { Nats, Outbox } from '../src/index.js';
import { LIMITS } from '../src/connection/limits.js';
import { BulkEvents1793000000004 } from '../src/migrations/bulk-events.migration.js';
import { OutboxRepository } from '../src/outbox/outbox.repository.js';
import { addCourse, courseId, publishCourse } from './events.js';
import { closeServices, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';
import { storedEvents } from './stored-events.js';

let nats: TestNats;
beforeAll(async () => {
  nats = await testNats();
});
afterAll(async () => {
  await closeServices();
  await nats.stop();
});

test('rests between batches, so that the commits of the meantime share the next one', async () => {
  const database = await messagingDatabase();
  const school = await startService({ service: 'admin-api', nats: nats.environment('admin-api'), database });
  await school.get(Nats).ready();
  const repository = school.get(OutboxRepository);
  const take = repository.takeOldest.bind(repository);
  const looks: number[] = [];
  repository.takeOldest = (manager, channel) => {
    if (channel === 'event') looks.push(performance.now());
    return take(manager, channel);
  };
  // A slow first look finds the commits of a whole pause: more follow until there are looks to compare.
  for (let version = 1; version <= 60 || looks.length <= 2; version += 1) await publishCourse(school, 1, version);
  await eventually(async () => (await repository.unsent(1)) === 0);
  const [first = 0, last = 0] = [looks[0], looks.at(-1)];
  // A timer may end a millisecond early, and the first look may wait for a connection.
  expect(looks.length - 2).toBeLessThanOrEqual((last - first) / (LIMITS.relayRest - 1));
});

/** Publishes one event of each course as bulk work. */
function publishInBulk(service: TestService, courses: readonly number[], version = 1): Promise<void> {
  const outbox = service.get(Outbox);
  return outbox.transaction(async (manager) => {
    for (const n of courses) await addCourse(service, manager, n, version);
  }, 'bulk');
}

const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n + 1);

describe('events of bulk work', () => {
  let own: TestNats;
  let school: TestService;
  beforeEach(async () => {
    own = await testNats();
    const database = await messagingDatabase();
    school = await startService({ service: 'admin-api', nats: own.environment('admin-api'), database });
    await school.get(Nats).ready();
  });
  afterEach(() => own.stop());

  const emptied = () =>
    eventually(async () => {
      const rows: unknown[] = await school.get(DataSource).query('SELECT 1 FROM outbox LIMIT 1');
      return rows.length === 0;
    });
  const versions = async (n: number): Promise<number[]> =>
    (await storedEvents(own))
      .filter(({ event }) => event.aggregate_id === courseId(n))
      .map(({ event }) => event.aggregate_version);

  test('publishes them at a limited rate, behind the events of requests', async () => {
    const count = 5 * LIMITS.bulkBatch;
    const began = performance.now();
    await publishInBulk(school, numbers(count));
    await publishCourse(school, count + 1);
    expect(await school.metric('outbox_oldest_age_seconds')).toBeLessThan(5);
    await emptied();
    expect(performance.now() - began).toBeGreaterThanOrEqual(4 * LIMITS.bulkRest);
    const order = (await storedEvents(own)).map(({ event }) => event.aggregate_id);
    expect(new Set(order).size).toBe(count + 1);
    expect(order.indexOf(courseId(count + 1))).toBeLessThanOrEqual(3 * LIMITS.bulkBatch);
    expect(await school.metric('outbox_published_total', { channel: 'bulk' })).toBe(count);
  });

  test('publishes none while bulk work goes on, unless the oldest one has waited too long', async () => {
    const published = () => school.metric('outbox_published_total', { channel: 'bulk' });
    const began = performance.now();
    let courses = 0;
    const workFor = async (milliseconds: number): Promise<void> => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end) {
        await publishInBulk(school, [(courses += 1)]);
        // Time is what is tested: work in bulk that never pauses for long.
        await setTimeout(100);
      }
    };
    await workFor(1.5 * LIMITS.bulkQuiet);
    expect(await published()).toBe(0);
    const waited = `${LIMITS.bulkPatience} milliseconds`;
    await school.get(DataSource).query('UPDATE outbox SET created_at = created_at - $1::interval', [waited]);
    await workFor(1.5 * LIMITS.bulkQuiet);
    expect(await published()).toBeGreaterThan(0);
    await emptied();
    expect(performance.now() - began).toBeLessThan(LIMITS.bulkPatience);
    expect(await published()).toBe(courses);
  });

  test('keeps their order among the other events of their aggregate', async () => {
    const last = 4 * LIMITS.bulkBatch;
    await own.kill();
    await publishCourse(school, last, 1);
    await publishInBulk(school, numbers(last), 2);
    await publishCourse(school, last, 3);
    await publishInBulk(school, [last], 4);
    await publishCourse(school, last - 1, 3);
    await own.restart();
    await emptied();
    expect(await versions(last)).toEqual([1, 2, 3, 4]);
    expect(await versions(last - 1)).toEqual([2, 3]);
    expect(await storedEvents(own)).toHaveLength(last + 4);
  });

  test('moves them to the events of requests when the migration is undone', async () => {
    const source = school.get(DataSource);
    await own.kill();
    await publishInBulk(school, [1, 2]);
    const migration = new BulkEvents1793000000004();
    const runner = source.createQueryRunner();
    await migration.down(runner);
    const channels = () => source.query<unknown[]>('SELECT DISTINCT channel FROM outbox');
    expect(await channels()).toEqual([{ channel: 'event' }]);
    await migration.up(runner);
    await runner.release();
    await own.restart();
    await emptied();
    expect(await storedEvents(own)).toHaveLength(2);
  });
});
