import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { Nats, Outbox } from '../src/index.js';
import { LIMITS } from '../src/connection/limits.js';
import { BulkEvents1793000000004 } from '../src/migrations/bulk-events.migration.js';
import { OutboxRepository } from '../src/outbox/outbox.repository.js';
import type { OutboxMessage } from '../src/outbox/outbox.repository.js';
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

const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n + 1);

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

test.each([
  [LIMITS.bulkPatience - 1, LIMITS.bulkQuiet - 1, 0],
  [LIMITS.bulkPatience - 1, LIMITS.bulkQuiet + 1, 2],
  [LIMITS.bulkPatience + 1, 0, 2],
])('takes events of bulk work that were added %i and %i ms ago: %i', async (oldest, newest, taken) => {
  const source = await new DataSource({ type: 'postgres', url: await messagingDatabase() }).initialize();
  const repository = new OutboxRepository(source);
  // The clock of PostgreSQL stands still in a transaction.
  const rows = await repository.transaction(async (manager) => {
    await manager.query(
      `INSERT INTO outbox (id, channel, subject, aggregate_id, payload, created_at)
       SELECT uuidv7(), 'bulk', 'school.course.updated.v1', n, '{}', now() - make_interval(secs => age / 1000.0)
         FROM unnest($1::int[]) WITH ORDINALITY AS added (age, n)`,
      [[oldest, newest]],
    );
    return repository.takeOldest(manager, 'bulk');
  });
  expect(rows).toHaveLength(taken);
  await source.destroy();
});

test.each([1, 2])('counts the age of %i events from their statement', async (count) => {
  const source = await new DataSource({ type: 'postgres', url: await messagingDatabase() }).initialize();
  const repository = new OutboxRepository(source);
  const messages = numbers(count).map((n): OutboxMessage => {
    const subject = 'school.course.updated.v1';
    return { id: courseId(n), channel: 'bulk', subject, aggregate_id: courseId(n), payload: '{}', trace: {} };
  });
  const rows = await repository.transaction(async (manager) => {
    await manager.query('SELECT pg_sleep(0.05)');
    await repository.insert(manager, messages);
    return manager.query<unknown[]>(`SELECT created_at > now() + interval '40 milliseconds' AS counted FROM outbox`);
  });
  expect(rows).toEqual(messages.map(() => ({ counted: true })));
  await source.destroy();
});

/** Publishes one event of each course as bulk work. */
function publishInBulk(service: TestService, courses: readonly number[], version = 1): Promise<void> {
  const outbox = service.get(Outbox);
  return outbox.transaction(async (manager) => {
    for (const n of courses) await addCourse(service, manager, n, version);
  }, 'bulk');
}

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
    const repository = school.get(OutboxRepository);
    const looks = jest.spyOn(repository, 'takeOldest');
    const looksAtBulk = () => looks.mock.calls.filter(([, channel]) => channel === 'bulk').length;
    // Work that goes on: at each look, the last event was added just now.
    await school.get(DataSource).query(`
      CREATE FUNCTION stay_young() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.created_at := now() + interval '1 hour'; RETURN NEW; END $$;
      CREATE TRIGGER stay_young BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION stay_young()`);
    await publishInBulk(school, numbers(3));
    await eventually(() => looksAtBulk() >= 2);
    expect(await published()).toBe(0);
    const waited = `${LIMITS.bulkPatience} milliseconds`;
    await school
      .get(DataSource)
      .query('UPDATE outbox SET created_at = now() - $1::interval WHERE seq = (SELECT min(seq) FROM outbox)', [waited]);
    await emptied();
    expect(await published()).toBe(3);
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
