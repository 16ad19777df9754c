import { courseEvents, enrollmentEvents } from '@lyceum/contracts';
import { currentRequest, migrateDatabase, runInTrace } from '@lyceum/platform';
import type { RequestContext } from '@lyceum/platform';
import { emptyDatabase, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { EventConsumers, Nats, messagingMigrations } from '../src/index.js';
import { course, courseId, publishCourse, SITE } from './events.js';
import { closeServices, eventually, logs, messagingDatabase, sleep, startService } from './service.js';
import type { TestService } from './service.js';
import { tcpGate } from './tcp-gate.js';

/** What a reader applied: one row for each application, so that a second one of the same event shows. */
const TABLE = 'CREATE TABLE applied (at bigint GENERATED ALWAYS AS IDENTITY, aggregate_id text, version int)';

let nats: TestNats;
let schoolDatabase: string;
let learnerDatabase: string;
beforeEach(async () => {
  nats = await testNats();
  [schoolDatabase, learnerDatabase] = await Promise.all([messagingDatabase(), messagingDatabase()]);
});
afterEach(async () => {
  await closeServices();
  await nats.stop();
});

async function startSchool(): Promise<TestService> {
  const school = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    streams: ['SCHOOL'],
    database: schoolDatabase,
  });
  await school.get(Nats).ready();
  return school;
}

type Apply = (n: string, version: number, manager: EntityManager) => Promise<void>;

const write: Apply = async (n, version, manager) => {
  await manager.query('INSERT INTO applied (aggregate_id, version) VALUES ($1, $2)', [n, version]);
};

async function startLearner(apply: Apply = write, database = learnerDatabase): Promise<TestService> {
  const learner = await startService({
    service: 'member-api',
    nats: nats.environment('member-api'),
    database,
    delivery: { retryDelaysMs: [20, 40] },
  });
  await learner.get(DataSource).query(TABLE.replace('TABLE', 'TABLE IF NOT EXISTS'));
  learner.get(EventConsumers).register({
    name: 'courses',
    stream: 'SCHOOL',
    events: [courseEvents],
    handle: (event, manager) => apply(event.aggregate_id, event.aggregate_version, manager),
  });
  return learner;
}

async function applied(service: TestService): Promise<string[]> {
  const rows: { line: string }[] = await service
    .get(DataSource)
    .query(`SELECT right(aggregate_id, 2)::int || ':' || version AS line FROM applied ORDER BY at`);
  return rows.map(({ line }) => line);
}

const untilApplied = (service: TestService, count: number): Promise<void> =>
  eventually(async () => (await applied(service)).length >= count);

async function withAdmin<T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const { NATS_URL, NATS_USER, NATS_PASSWORD } = nats.environment('admin');
  const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD });
  return work(connection).finally(() => connection.close());
}

const processed = (service: TestService, result: string): Promise<number> =>
  service.metric('events_processed_total', { result });

const deadLetters = (): Promise<number> =>
  withAdmin(async (connection) => {
    const manager = await jetstreamManager(connection);
    return (await manager.streams.info('DEAD_LETTERS')).state.messages;
  });

test('events are applied in order, also those from before the reader was there', async () => {
  const school = await startSchool();
  await publishCourse(school, 1, 1);
  await publishCourse(school, 1, 2);
  const learner = await startLearner();
  await untilApplied(learner, 2);
  await publishCourse(school, 1, 3);
  await untilApplied(learner, 3);
  expect(await applied(learner)).toEqual(['1:1', '1:2', '1:3']);
  expect(await processed(learner, 'applied')).toBe(3);
  await eventually(async () => (await learner.metric('events_pending')) === 0);
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('a reader works under the request and the trace that wrote the event', async () => {
  const school = await startSchool();
  const seen: (RequestContext | undefined)[] = [];
  const learner = await startLearner(async (n, version, manager) => {
    seen.push(currentRequest());
    await write(n, version, manager);
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const carrier = { 'x-request-id': 'request-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await runInTrace(carrier, 'test', () => publishCourse(school, 1));
  await untilApplied(learner, 1);
  expect(seen).toEqual([{ requestId: 'request-1', traceId }]);
});

test('a reader waits until the owner has made the stream', async () => {
  const learner = await startLearner();
  await eventually(() => logs.some((line) => line.includes('stream not found')));
  const school = await startSchool();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  expect(await applied(learner)).toEqual(['1:1']);
});

test('events that the reader did not ask for do not reach it', async () => {
  const school = await startSchool();
  const learner = await startLearner();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  await withAdmin(async (connection) => {
    await jetstream(connection).publish(enrollmentEvents.filter.replace('*', 'activated'), '{}');
  });
  await publishCourse(school, 2);
  await untilApplied(learner, 2);
  expect(await deadLetters()).toBe(0);
});

test('an event that comes twice is applied once', async () => {
  const school = await startSchool();
  const learner = await startLearner();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  // The same event without its message id: the server cannot know that it has it.
  await withAdmin(async (connection) => {
    const stream = await jetstreamManager(connection);
    const stored = await stream.streams.getMessage('SCHOOL', { seq: 1 });
    await jetstream(connection).publish('school.course.updated.v1', stored?.data);
  });
  await eventually(async () => (await processed(learner, 'repeated')) === 1);
  expect(await applied(learner)).toEqual(['1:1']);
});

test('a handler that fails leaves nothing behind and gets the event again', async () => {
  const school = await startSchool();
  let failures = 0;
  const learner = await startLearner(async (n, version, manager) => {
    await write(n, version, manager);
    failures += 1;
    if (failures <= 2) throw new Error('not yet');
  });
  await publishCourse(school, 1);
  await eventually(async () => (await processed(learner, 'applied')) === 1);
  expect(await applied(learner)).toEqual(['1:1']);
  expect(await processed(learner, 'failed')).toBe(2);
  expect(await learner.metric('events_redelivered_total')).toBe(2);
  expect(await deadLetters()).toBe(0);
});

test('an event that fails every time becomes a dead letter, with its error, and does not hold up the others', async () => {
  const school = await startSchool();
  const learner = await startLearner(async (n, version, manager) => {
    if (n === courseId(1)) throw new Error('cannot be applied', { cause: new Error('the reason') });
    await write(n, version, manager);
  });
  await publishCourse(school, 1);
  await publishCourse(school, 2);
  await eventually(async () => (await processed(learner, 'dead')) === 1);
  await untilApplied(learner, 1);
  expect(await applied(learner)).toEqual(['2:1']);
  // Delays are named for two retries.
  expect(await processed(learner, 'failed')).toBe(2);
  const letter = await withAdmin(async (connection) => {
    const manager = await jetstreamManager(connection);
    return manager.streams.getMessage('DEAD_LETTERS', { last_by_subj: 'dead-letters.member-api.courses' });
  });
  expect(letter?.header.get('Lyceum-Subject')).toBe('school.course.updated.v1');
  expect(letter?.header.get('Lyceum-Error')).toBe('Error: cannot be applied; Error: the reason');
  expect(letter?.header.get('Lyceum-Deliveries')).toBe('3');
  expect(letter?.header.get('Lyceum-Event-Id')).toBe(letter?.json<{ id: string }>().id);
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test.each([
  ['no JSON', 'certainly not'],
  ['no envelope', '{}'],
  ['of another type', JSON.stringify({ ...envelope(), type: 'school.course.created.v1' })],
  ['with other data', JSON.stringify({ ...envelope(), data: { ...course(1), name: 7 } })],
])('a message that is %s becomes a dead letter at once', async (_what, body) => {
  const school = await startSchool();
  const learner = await startLearner();
  await eventually(async () => (await school.get(Nats).ready()).info !== undefined);
  await publishCourse(school, 2);
  await untilApplied(learner, 1);
  await withAdmin(async (connection) => {
    await jetstream(connection).publish('school.course.updated.v1', body, { headers: headers() });
  });
  await eventually(async () => (await processed(learner, 'dead')) === 1);
  expect(await processed(learner, 'failed')).toBe(0);
  expect(await deadLetters()).toBe(1);
});

function envelope() {
  return {
    id: courseId(99),
    type: 'school.course.updated.v1',
    aggregate_id: courseId(1),
    aggregate_version: 1,
    site_id: SITE,
    occurred_at: '2026-11-20T10:00:00Z',
    data: course(1),
  };
}

test('while the database is away no event is given up, and all are applied when it is back', async () => {
  const gate = await tcpGate(learnerDatabase);
  const school = await startSchool();
  const learner = await startLearner(write, gate.url);
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  gate.shut();
  for (let n = 2; n <= 6; n += 1) await publishCourse(school, n);
  await eventually(() => logs.some((line) => line.includes('the database is away')));
  // Longer than all the delays after which an event would be a dead letter.
  await sleep(300);
  gate.open();
  await untilApplied(learner, 6);
  expect(await applied(learner)).toEqual(['1:1', '2:1', '3:1', '4:1', '5:1', '6:1']);
  expect(await processed(learner, 'failed')).toBe(0);
  expect(await deadLetters()).toBe(0);
  await learner.close();
  await gate.close();
});

test('events wait for a schema that lacks a migration', async () => {
  const school = await startSchool();
  await publishCourse(school, 1);
  const { url, drop } = await emptyDatabase();
  const learner = await startLearner(write, url);
  await eventually(() => logs.some((line) => line.includes('migrations are pending')));
  expect(await processed(learner, 'failed')).toBe(0);
  await migrateDatabase({ url, applicationName: 'test', entities: [], migrations: messagingMigrations });
  await untilApplied(learner, 1);
  expect(await deadLetters()).toBe(0);
  await learner.close();
  await drop();
});

test('reading goes on after NATS was killed and came back', async () => {
  const school = await startSchool();
  const learner = await startLearner();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  await nats.kill();
  await publishCourse(school, 2);
  await nats.restart();
  await untilApplied(learner, 2);
  expect(await applied(learner)).toEqual(['1:1', '2:1']);
});

test('two replicas share the events, and none is applied twice', async () => {
  const school = await startSchool();
  const replicas = [await startLearner(), await startLearner()] as const;
  for (let n = 1; n <= 60; n += 1) await publishCourse(school, n);
  await untilApplied(replicas[0], 60);
  await sleep(50);
  const all = await applied(replicas[0]);
  expect(all).toHaveLength(60);
  expect(new Set(all).size).toBe(60);
});

test('a stopping service finishes the event in hand and leaves the rest to the next one', async () => {
  const school = await startSchool();
  let begun = 0;
  const first = await startLearner(async (n, version, manager) => {
    begun += 1;
    await sleep(100);
    await write(n, version, manager);
  });
  for (let n = 1; n <= 5; n += 1) await publishCourse(school, n);
  await eventually(() => begun === 1);
  await first.close();
  expect(begun).toBe(1);
  const second = await startLearner();
  await untilApplied(second, 5);
  expect((await applied(second)).sort()).toEqual(['1:1', '2:1', '3:1', '4:1', '5:1']);
});

test('a name that is not among the declared readers is refused: its user could not read', async () => {
  const learner = await startLearner();
  const declare = (name: string) => () =>
    learner
      .get(EventConsumers)
      .register({ name, stream: 'SCHOOL', events: [courseEvents], handle: () => Promise.resolve() });
  expect(declare('surprise')).toThrow('nats-permissions.ts');
  expect(declare('courses')).toThrow('already');
});
