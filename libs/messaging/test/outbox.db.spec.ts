import { REVOCATION_SUBJECT, SYSTEM_ACTOR, courseEvents } from '@lyceum/contracts';
import type { EventActor } from '@lyceum/contracts';
import { actAs, runInTrace } from '@lyceum/platform';
import type { Actor } from '@lyceum/platform';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import { Nats, Outbox, savepoint } from '../src/index.js';
import { raiseEpoch } from '../src/outbox/event-epoch.repository.js';
import { SITE, addCourse, course, courseId, publishCourse } from './events.js';
import { closeServices, logs, messagingDatabase, sleep, startService } from './service.js';
import type { TestService } from './service.js';
import { asAdmin, storedEvents } from './stored-events.js';

let nats: TestNats;
let database: string;
beforeEach(async () => {
  nats = await testNats();
  database = await messagingDatabase();
});
afterEach(async () => {
  await closeServices();
  await nats.stop();
});

const startSchool = (): Promise<TestService> =>
  startService({ service: 'admin-api', nats: nats.environment('admin-api'), database });

const withAdmin = <T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> => asAdmin(nats, work);
const stored = () => storedEvents(nats);

async function waiting(service: TestService): Promise<number> {
  const rows: { n: number }[] = await service.get(DataSource).query('SELECT count(*)::int AS n FROM outbox');
  return rows[0]?.n ?? -1;
}

const emptied = (service: TestService): Promise<boolean> => eventually(async () => (await waiting(service)) === 0);

test('publishes an event after the commit as the contract defines it, and removes it from the outbox', async () => {
  const school = await startSchool();
  await school.get(Nats).ready();
  await publishCourse(school, 7, 3);
  await emptied(school);
  const [message, ...others] = await stored();
  expect(others).toEqual([]);
  expect(message?.subject).toBe('school.course.updated.v1');
  expect(message?.event).toMatchObject({
    type: 'school.course.updated.v1',
    aggregate_id: courseId(7),
    aggregate_version: 3,
    site_id: SITE,
    data: { name: 'Course 7 v3' },
  });
  expect(message?.id).toBe(message?.event.id);
  expect(await school.metric('outbox_published_total', { channel: 'event' })).toBe(1);
  expect(await school.metric('outbox_messages')).toBe(0);
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('stamps events with the database’s epoch at the time of the insert', async () => {
  const school = await startSchool();
  await publishCourse(school, 1, 5);
  const { epoch: first } = await raiseEpoch(school.get(DataSource));
  await publishCourse(school, 1, 3);
  const { epoch: second } = await raiseEpoch(school.get(DataSource));
  await publishCourse(school, 1, 2);
  await emptied(school);
  expect((await stored()).map(({ event }) => event.epoch)).toEqual([1, first, second]);
  // A later restore of the same backup must not reuse an epoch.
  expect(first).toBeGreaterThan(Date.now() / 1_000 - 60);
  expect(second).toBeGreaterThan(first);
});

test('names the actor of a change only at the event’s own site', async () => {
  const school = await startSchool();
  const [member_id, client_id] = [courseId(90), 'a-client'];
  const change = (n: number, actor?: Actor) =>
    runInTrace({ 'x-request-id': `request-${n}` }, 'change', async () => {
      if (actor !== undefined) actAs(actor);
      await publishCourse(school, n);
    });
  await change(1, { site_id: SITE, member_id, client_id, via: 'tool' });
  await change(2, { site_id: courseId(91), member_id, client_id, via: 'page' });
  await change(3);
  await publishCourse(school, 4);
  await emptied(school);
  expect(new Map((await stored()).map(({ event }) => [event.aggregate_id, event.actor]))).toEqual(
    new Map<string, EventActor>([
      [courseId(1), { member_id, client_id, via: 'tool', request_id: 'request-1' }],
      [courseId(2), { member_id: null, client_id, via: 'page', request_id: 'request-2' }],
      [courseId(3), { ...SYSTEM_ACTOR, request_id: 'request-3' }],
      [courseId(4), SYSTEM_ACTOR],
    ]),
  );
});

test('does not publish after a rollback', async () => {
  const school = await startSchool();
  await school.get(Nats).ready();
  const rolledBack = school.get(Outbox).transaction(async (manager) => {
    await addCourse(school, manager, 1, 1);
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  await publishCourse(school, 2);
  await emptied(school);
  expect((await stored()).map(({ event }) => event.aggregate_id)).toEqual([courseId(2)]);
});

test('publishes nothing of a savepoint that is rolled back', async () => {
  const school = await startSchool();
  const outbox = school.get(Outbox);
  await outbox.transaction(async (manager) => {
    await addCourse(school, manager, 1, 1);
    const failed = savepoint(manager, async (inner) => {
      await addCourse(school, inner, 2, 1);
      await savepoint(inner, (innermost) => addCourse(school, innermost, 3, 1));
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await savepoint(manager, (inner) => addCourse(school, inner, 4, 1));
  });
  await emptied(school);
  expect((await stored()).map(({ event }) => event.aggregate_id)).toEqual([courseId(1), courseId(4)]);
});

test('aborts the transaction for data that violates the contract or is too large', async () => {
  const school = await startSchool();
  const add = (data: object) =>
    school.get(Outbox).transaction((manager) =>
      school.get(Outbox).add(manager, courseEvents, 'updated', {
        aggregate_id: 'x',
        aggregate_version: 1,
        site_id: SITE,
        data: { ...course(1), ...data },
      }),
    );
  await expect(add({ course_id: 'no uuid' })).rejects.toThrow('course_id');
  await expect(add({ name: 'x'.repeat(256 * 1024) })).rejects.toThrow('more than 262144');
  expect(await waiting(school)).toBe(0);
});

test('accepts writes without NATS and publishes their events in order when it is back', async () => {
  const school = await startSchool();
  await school.get(Nats).ready();
  await publishCourse(school, 1, 1);
  await emptied(school);
  await nats.kill();
  for (let version = 2; version <= 6; version += 1) await publishCourse(school, 1, version);
  expect(await waiting(school)).toBe(5);
  expect(await school.metric('outbox_messages')).toBe(5);
  expect(await school.metric('outbox_oldest_age_seconds')).toBeGreaterThan(0);
  await nats.restart();
  await emptied(school);
  expect((await stored()).map(({ event }) => event.aggregate_version)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('stores an event once whose acknowledgement was lost', async () => {
  const school = await startSchool();
  await school.get(Nats).ready();
  const source = school.get(DataSource);
  await publishCourse(school, 1, 1);
  await emptied(school);
  const [first] = await stored();
  // The state that a relay leaves when it dies between the acknowledgement and its commit.
  await source.query(
    `INSERT INTO outbox (id, channel, subject, aggregate_id, payload) VALUES ($1, 'event', $2, 'x', $3)`,
    [first?.id, first?.subject, JSON.stringify(first?.event)],
  );
  await emptied(school);
  expect(await stored()).toHaveLength(1);
});

test('stores every event once, and each course in order, with many concurrent relays', async () => {
  const replicas = await Promise.all([startSchool(), startSchool(), startSchool()]);
  await Promise.all(replicas.map((replica) => replica.get(Nats).ready()));
  const courses = Array.from({ length: 8 }, (_, n) => n + 1);
  await Promise.all(
    courses.map(async (n) => {
      for (let version = 1; version <= 25; version += 1) {
        const replica = replicas[(n + version) % replicas.length];
        if (replica !== undefined) await publishCourse(replica, n, version);
      }
    }),
  );
  await Promise.all(replicas.map(emptied));
  const messages = await stored();
  expect(messages).toHaveLength(200);
  const inOrder = Array.from({ length: 25 }, (_, version) => version + 1);
  for (const n of courses) {
    const versions = messages.filter(({ event }) => event.aggregate_id === courseId(n));
    expect(versions.map(({ event }) => event.aggregate_version)).toEqual(inOrder);
  }
});

test('delays events but no broadcast when a stream accepts nothing', async () => {
  const auth = await startService({ service: 'auth', nats: nats.environment('auth'), database });
  await auth.get(Nats).ready();
  const payload = {
    id: courseId(1),
    kind: 'grant',
    subject: 'g1',
    site_id: null,
    occurred_at: '2026-11-20T10:00:00.000Z',
  };
  await withAdmin(async (connection) => {
    const received: unknown[] = [];
    connection.subscribe(REVOCATION_SUBJECT, { callback: (_error, message) => void received.push(message.json()) });
    await connection.flush();
    await (await jetstreamManager(connection)).streams.delete('IDENTITY');
    await auth.get(DataSource).query(
      `INSERT INTO outbox (id, channel, subject, aggregate_id, payload)
       SELECT uuidv7(), 'event', 'identity.person.created.v1', n::text, '{}' FROM generate_series(1, 300) AS n`,
    );
    await eventually(() => logs.some((line) => line.includes('no stream takes identity.person.created.v1')));
    expect(await auth.metric('messaging_resource_missing', { kind: 'stream', name: 'IDENTITY' })).toBe(1);
    expect(logs.join()).not.toContain('"jetstream is not enabled"');
    await auth.get(Outbox).transaction((manager) => auth.get(Outbox).broadcast(manager, REVOCATION_SUBJECT, payload));
    await eventually(() => received.length === 1);
    expect(received).toEqual([payload]);
  });
  // The broadcast leaves the table a moment after its delivery; the events stay.
  await eventually(async () => (await waiting(auth)) === 300);
  await nats.bootstrap();
  await eventually(async () => (await waiting(auth)) === 0);
  expect(await auth.metric('messaging_resource_missing', { kind: 'stream', name: 'IDENTITY' })).toBe(0);
});

test('reports a stream as missing only until it exists, also at replicas that have nothing to publish then', async () => {
  const start = (): Promise<TestService> => startService({ service: 'auth', nats: nats.environment('auth'), database });
  const replicas = [await start(), await start()];
  const missing = (value: number): Promise<boolean> =>
    eventually(async () => {
      // A scrape reads the backlog and the stream.
      await Promise.all(replicas.map((one) => one.metric('outbox_messages')));
      const values = await Promise.all(
        replicas.map((one) => one.metric('messaging_resource_missing', { kind: 'stream', name: 'IDENTITY' })),
      );
      return values.every((one) => one === value);
    });
  await withAdmin(async (connection) => void (await (await jetstreamManager(connection)).streams.delete('IDENTITY')));
  await replicas[0]!.get(DataSource).query(
    `INSERT INTO outbox (id, channel, subject, aggregate_id, payload)
     SELECT uuidv7(), 'event', 'identity.person.created.v1', '1', '{}'`,
  );
  expect(await missing(1)).toBe(true);
  await nats.bootstrap();
  await emptied(replicas[0]!);
  expect(await missing(0)).toBe(true);
});

test('finds an event by polling that was written without the outbox service', async () => {
  const school = await startSchool();
  await school.get(Nats).ready();
  // The relay waits between two polls.
  await sleep(50);
  await school.get(DataSource).transaction((manager) => addCourse(school, manager, 1, 1));
  await emptied(school);
  expect(await stored()).toHaveLength(1);
});
