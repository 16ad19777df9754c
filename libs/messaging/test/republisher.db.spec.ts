import { courseEvents, republicationSchema, republicationSubject } from '@lyceum/contracts';
import type { DomainEvent } from '@lyceum/contracts';
import { UsageError } from '@lyceum/platform';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { EventConsumers, Outbox, Republisher } from '../src/index.js';
import type { Republication } from '../src/index.js';
import { LIMITS } from '../src/connection/limits.js';
import { SITE, addCourse, course, courseId } from './events.js';
import { closeServices, messagingDatabase, sleep, startService } from './service.js';
import type { TestService } from './service.js';

const COURSES = LIMITS.republishBatch * 3 + 1;

let nats: TestNats;
let owner: TestService;
let written: string[];
beforeEach(async () => {
  nats = await testNats();
  // A republication waits for existing consumers. Tests that start one recreate its consumer.
  await withoutConsumers('member-api-courses', 'admin-api-changes');
  const database = await messagingDatabase();
  owner = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    database,
  });
  await sql('CREATE TABLE courses (n int NOT NULL, id uuid PRIMARY KEY, version int NOT NULL DEFAULT 1)');
  await sql(
    `INSERT INTO courses SELECT n, ('018f3b1e-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid FROM generate_series(1, $1) n`,
    [COURSES],
  );
  written = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(written.push(String(text))));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await closeServices();
  await nats.stop();
});

interface Row {
  readonly n: number;
  readonly id: string;
  readonly version: number;
}

const sql = <R>(text: string, values: unknown[] = [], on?: EntityManager): Promise<R[]> =>
  (on ?? owner.get(DataSource).manager).query(text, values);

const courses: Republication<typeof courseEvents> = {
  events: courseEvents,
  batch: async (manager, [after], limit) => {
    const text = 'SELECT n, id, version FROM courses WHERE id > $1 ORDER BY id LIMIT $2 FOR SHARE';
    const rows = await sql<Row>(text, [after, limit], manager);
    return rows.map(({ n, id, version }) => ({
      key: [id],
      event: {
        aggregate_id: id,
        aggregate_version: version,
        site_id: SITE,
        data: course(n, `Course ${n} v${version}`),
      },
    }));
  },
};

/** Changes a course as a service does: first the row, whose lock orders the events, then the event. */
const change = (n: number): Promise<void> =>
  owner.get(Outbox).transaction(async (manager) => {
    const [[row]] = await manager.query<[Row[], number]>(
      'UPDATE courses SET version = version + 1 WHERE n = $1 RETURNING version',
      [n],
    );
    await addCourse(owner, manager, n, row?.version ?? 0);
  });

const republish = (...words: string[]): Promise<void> => owner.get(Republisher).run([courses], words);
const reports = (): unknown[] => written.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

interface Stored {
  readonly seq: number;
  readonly subject: string;
  readonly event: DomainEvent<{ name: string }>;
}

async function withAdmin<T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connectAs(nats.environment('admin'));
  return work(connection).finally(() => connection.close());
}

function withoutConsumers(...names: string[]): Promise<void> {
  return withAdmin(async (connection) => {
    const { consumers } = await jetstreamManager(connection);
    for (const name of names) await consumers.delete('SCHOOL', name);
  });
}

function stored(): Promise<Stored[]> {
  return withAdmin(async (connection) => {
    const { state } = await (await jetstreamManager(connection)).streams.info('SCHOOL');
    const found: Stored[] = [];
    const consumer = await jetstream(connection).consumers.get('SCHOOL');
    for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 5_000 })) {
      found.push({ seq: message.seq, subject: message.subject, event: message.json() });
    }
    return found;
  });
}

test('sends every aggregate with its version, then the mark of the first sequence number', async () => {
  await change(7);
  await republish('course');
  const [first, ...all] = await stored();
  const mark = all.pop();
  expect(first?.subject).toBe('school.course.updated.v1');
  expect(new Set(all.map(({ subject }) => subject))).toEqual(new Set(['school.course.republished.v1']));
  expect(all).toHaveLength(COURSES);
  expect(
    new Map(all.map(({ event }) => [event.aggregate_id, `v${event.aggregate_version}: ${event.data.name}`])),
  ).toEqual(
    new Map(
      Array.from({ length: COURSES }, (_, at) => at + 1).map((n) => {
        const version = n === 7 ? 2 : 1;
        return [courseId(n), `v${version}: Course ${n} v${version}`];
      }),
    ),
  );
  expect(mark?.subject).toBe(republicationSubject(courseEvents));
  expect(republicationSchema.parse(mark?.event).from).toBeLessThanOrEqual(all[0]?.seq ?? 0);
  expect(reports()).toEqual([{ entity: 'course', republished: COURSES, complete: true }]);
});

test('never sends an older state after a newer one under concurrent writes', async () => {
  const stop = new AbortController();
  let changes = 0;
  const writers = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) {
      await change(1 + Math.floor(Math.random() * COURSES));
      changes += 1;
    }
  });
  await eventually(() => changes > 10);
  const before = changes;
  await republish('all');
  await republish('all');
  stop.abort();
  await Promise.all(writers);
  expect(changes).toBeGreaterThan(before);
  await eventually(async () => (await sql('SELECT FROM outbox')).length === 0);
  const latest = new Map<string, number>();
  for (const { subject, event } of await stored()) {
    if (subject === republicationSubject(courseEvents)) continue;
    const known = latest.get(event.aggregate_id) ?? 0;
    expect(event.aggregate_version).toBeGreaterThanOrEqual(known);
    expect(event.data.name).toMatch(new RegExp(` v${event.aggregate_version}$`));
    latest.set(event.aggregate_id, event.aggregate_version);
  }
  const rows = await sql<Row>('SELECT id, version FROM courses');
  expect(rows).toHaveLength(COURSES);
  expect(new Map(rows.map(({ id, version }) => [id, version]))).toEqual(latest);
});

test('gives way to a transaction that holds a row and waits for another, then retries', async () => {
  const holder = owner.get(DataSource).createQueryRunner();
  await holder.startTransaction();
  // The last row of the first batch: the republication has locked all others by then.
  await sql('UPDATE courses SET version = version + 1 WHERE n = $1', [LIMITS.republishFirst], holder.manager);
  const running = republish('course');
  const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'`;
  await eventually(async () => (await sql(waits)).length > 0);
  // A deadlock, unless the republication gives way.
  await sql('UPDATE courses SET version = version + 1 WHERE n = 1', [], holder.manager);
  await holder.commitTransaction();
  await holder.release();
  await running;
  const sent = (await stored()).filter(({ event }) =>
    [courseId(1), courseId(LIMITS.republishFirst)].includes(event.aggregate_id),
  );
  expect(sent.map(({ event }) => event.aggregate_version)).toEqual([2, 2]);
});

test('adds at most one batch while nothing leaves the outbox', async () => {
  // Another replica holds the relay's lock without publishing.
  const relay = owner.get(DataSource).createQueryRunner();
  await relay.startTransaction();
  await sql('SELECT pg_advisory_xact_lock($1, 1)', [0x6c796365], relay.manager);
  const running = republish('course');
  const waiting = async (): Promise<number> => (await sql('SELECT FROM outbox')).length;
  await eventually(async () => (await waiting()) >= LIMITS.republishFirst);
  // Long enough for several polls.
  await sleep(LIMITS.republishPoll * 5);
  expect(await waiting()).toBe(LIMITS.republishFirst);
  expect(reports()).toEqual([]);
  await relay.commitTransaction();
  await relay.release();
  await running;
  expect(reports()).toEqual([{ entity: 'course', republished: COURSES, complete: true }]);
});

test('queues at most half a second’s batch and the limit behind a slow consumer, so new events overtake', async () => {
  const seen = new Set<string>();
  /** An event that is written during the republication, and the numbers of seen courses around it. */
  const news = { n: COURSES - 1, before: 0, after: 0 };
  await nats.bootstrap();
  await withoutConsumers('admin-api-changes');
  const reader = await startService({
    service: 'member-api',
    nats: nats.environment('member-api'),
    database: await messagingDatabase(),
  });
  // 200 events per second: without pacing all events would wait at once.
  reader.get(EventConsumers).register({
    name: 'courses',
    stream: 'SCHOOL',
    events: [courseEvents],
    handle: async ({ aggregate_id, aggregate_version }) => {
      await sleep(5);
      if (aggregate_id === courseId(news.n) && aggregate_version === 2) news.after ||= seen.size;
      seen.add(aggregate_id);
    },
  });
  let most = 0;
  const running = republish('course').then(() => 'done' as const);
  const waitingFor = async (): Promise<number> => {
    const { num_pending, num_ack_pending } = await withAdmin(async (connection) =>
      (await jetstreamManager(connection)).consumers.info('SCHOOL', 'member-api-courses'),
    );
    return num_pending + num_ack_pending;
  };
  await eventually(() => seen.size > 100);
  await change(news.n);
  news.before = seen.size;
  // A poll of the consumer's backlog every 20 ms.
  while ((await Promise.race([running, sleep(20)])) !== 'done') most = Math.max(most, await waitingFor());
  expect(most).toBeLessThan(LIMITS.republishBatch);
  await eventually(() => seen.size === COURSES && news.after > 0);
  // Only the events that were in transit before it.
  expect(news.after - news.before).toBeLessThan(LIMITS.republishBatch);
});

test('names the slow consumer, and continues when it consumes again', async () => {
  const database = await messagingDatabase();
  await nats.bootstrap();
  await withoutConsumers('admin-api-changes');
  const startReader = async (): Promise<TestService> => {
    const reader = await startService({ service: 'member-api', nats: nats.environment('member-api'), database });
    reader.get(EventConsumers).register({
      name: 'courses',
      stream: 'SCHOOL',
      events: [courseEvents],
      handle: () => Promise.resolve(),
    });
    return reader;
  };
  const first = await startReader();
  await change(1);
  await eventually(async () => (await first.metric('events_processed_total')) === 1);
  await first.close();
  const running = republish('course');
  await eventually(() => reports().length > 0);
  expect(reports()).toEqual([
    {
      entity: 'course',
      republished: LIMITS.republishFirst,
      waits_for: 'member-api-courses',
      events: LIMITS.republishFirst,
    },
  ]);
  await startReader();
  await running;
  expect(reports().at(-1)).toEqual({ entity: 'course', republished: COURSES, complete: true });
});

test('names a consumer of another version once, and waits for no such consumer', async () => {
  const former = { durable_name: 'member-api-former', ack_policy: AckPolicy.Explicit };
  await withAdmin(async (connection) =>
    (await jetstreamManager(connection)).consumers.add('SCHOOL', { ...former, filter_subject: courseEvents.filter }),
  );
  await republish('course');
  expect(reports()).toEqual([
    { entity: 'course', ignores: 'member-api-former', events: 0 },
    { entity: 'course', republished: COURSES, complete: true },
  ]);
});

test('rejects entities that the service does not own', async () => {
  await expect(republish()).rejects.toThrow('all, or some of course');
  await expect(republish()).rejects.toThrow(UsageError);
  await expect(republish('course', 'person')).rejects.toThrow('some of course');
  expect(reports()).toEqual([]);
});
