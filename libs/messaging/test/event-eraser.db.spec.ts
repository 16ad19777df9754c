import { courseEvents, deadLetterStream } from '@lyceum/contracts';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import { EventConsumers, Nats, Outbox } from '../src/index.js';
import { EventEraser } from '../src/outbox/event-eraser.js';
import { LIMITS } from '../src/connection/limits.js';
import { EventErasuresRepository } from '../src/outbox/event-erasures.repository.js';
import { MessageEraser } from '../src/outbox/message-eraser.js';
import { courseId, publishCourse } from './events.js';
import { closeServices, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';

const ERASED = { aggregate_id: courseId(1), version: 3 };

let nats: TestNats;
let admin: NatsConnection;
let school: TestService;
let learner: TestService;

beforeAll(async () => {
  nats = await testNats();
  admin = await connectAs(nats.environment('admin'));
  const start = async (service: 'admin-api' | 'member-api'): Promise<TestService> =>
    startService({
      service,
      nats: nats.environment(service),
      database: await messagingDatabase(),
      delivery: { retryDelaysMs: [] },
    });
  [school, learner] = await Promise.all([start('admin-api'), start('member-api')]);
  learner.get(EventConsumers).register({
    name: 'courses',
    stream: 'SCHOOL',
    events: [courseEvents],
    handle: () => Promise.reject(new Error('no room')),
  });
  await Promise.all([school.get(Nats).ready(), learner.get(Nats).ready()]);
  for (const version of [1, 2, 3]) await publishCourse(school, 1, version);
  await publishCourse(school, 2);
  await eventually(async () => (await names(deadLetterStream('member-api'))).length === 4);
});
afterAll(async () => {
  await admin.close();
  await closeServices();
  await nats.stop();
});

/** Names of the courses in the messages of a stream, sorted: a stream orders the events of one aggregate only. */
async function names(stream: string): Promise<string[]> {
  const { streams } = await jetstreamManager(admin);
  const { messages, last_seq } = (await streams.info(stream)).state;
  const found: string[] = [];
  for (let seq = 1; seq <= last_seq; seq += 1) {
    const message = await streams.getMessage(stream, { seq }).catch(() => null);
    if (message !== null) found.push(message.json<{ data: { name: string } }>().data.name);
  }
  expect(found).toHaveLength(messages);
  return found.toSorted();
}
const erasures = (service: TestService): Promise<unknown[]> =>
  service.get(DataSource).query('select aggregate_id from event_erasures');
const erase = (service: TestService, epoch?: number): Promise<void> =>
  service
    .get(Outbox)
    .transaction((tx) => service.get(Outbox).erase(tx, courseEvents, { ...ERASED, ...(epoch && { epoch }) }));
/** Runs a pass, unless the periodic one is running. */
const pass = (service: TestService): Promise<number> => service.get(EventEraser).run();

it('deletes the events of the aggregate before the position, from the stream of the owner', async () => {
  await erase(school);
  await pass(school);
  // The periodic pass may have been first.
  await eventually(async () => (await names('SCHOOL')).length === 2);
  expect(await names('SCHOOL')).toEqual(['Course 1 v3', 'Course 2 v1']);
});

it('deletes dead letters of a consumer, and keeps those of other aggregates', async () => {
  await erase(learner, 1);
  await pass(learner);
  await eventually(async () => (await names(deadLetterStream('member-api'))).join() === 'Course 1 v3,Course 2 v1');
  expect(await names('SCHOOL')).toEqual(['Course 1 v3', 'Course 2 v1']);
});

it('deletes in a second pass, after an hour, what came late, and then forgets the erasure', async () => {
  await publishCourse(school, 1, 2);
  await eventually(async () => (await names('SCHOOL')).length === 3);
  expect([await pass(school), await erasures(school)]).toEqual([0, [{ aggregate_id: courseId(1) }]]);
  await school.get(DataSource).query(`update event_erasures set passed_at = now() - interval '61 minutes'`);
  await pass(school);
  await eventually(async () => (await names('SCHOOL')).join() === 'Course 1 v3,Course 2 v1');
  await eventually(async () => (await erasures(school)).length === 0);
});

it('reads a stream of several batches to its end', async () => {
  const many = LIMITS.replayBatch + 10;
  for (let version = 1; version <= many; version += 1) await publishCourse(school, 3, version);
  await eventually(async () => (await names('SCHOOL')).length === many + 2);
  let steps = 0;
  await school.get(MessageEraser).erase(
    () => false,
    async () => (steps += 1) > 0,
  );
  expect(steps).toBeGreaterThan(3);
  const last = { aggregate_id: courseId(3), version: many };
  await school.get(Outbox).transaction((tx) => school.get(Outbox).erase(tx, courseEvents, last));
  await pass(school);
  await eventually(async () => (await names('SCHOOL')).length === 3);
  expect(await names('SCHOOL')).toContain(`Course 3 v${many}`);
});

it('reads no batch once the pass has to end', async () => {
  const read: unknown[] = [];
  const deleted = await school.get(MessageEraser).erase(
    (body) => read.push(body) > 0,
    async () => false,
  );
  expect([deleted, read]).toEqual([0, []]);
});

it('counts a message that another pass deletes at the same time once', async () => {
  for (let version = 1; version <= 20; version += 1) await publishCourse(school, 4, version);
  await eventually(async () => (await names('SCHOOL')).filter((name) => name.startsWith('Course 4')).length === 20);
  const isErased = (body: unknown) => (body as { aggregate_id: string }).aggregate_id === courseId(4);
  const both = [1, 2].map(() => school.get(MessageEraser).erase(isErased, async () => true));
  const [first = 0, second = 0] = await Promise.all(both);
  expect(first + second).toBe(20);
});

describe('an event of another entity', () => {
  const id = courseId(6);
  beforeAll(async () => {
    // A pass that reads it deletes it.
    const body = { aggregate_id: id, epoch: 1, aggregate_version: 1, data: { name: 'Lecture' } };
    await admin.request('school.lecture.updated.v1', JSON.stringify(body));
    await publishCourse(school, 6, 1);
    await eventually(async () => (await names('SCHOOL')).includes('Course 6 v1'));
  });

  it('stays unread', async () => {
    const read: string[] = [];
    const isErased = (body: unknown): boolean => read.push((body as { data: { name: string } }).data.name) < 0;
    await school.get(MessageEraser).erase(isErased, async () => true, ['school.lecture.>', 'identity.role.>']);
    expect(read).toEqual(['Lecture']);
    await school.get(Outbox).transaction((tx) => {
      return school.get(Outbox).erase(tx, courseEvents, { aggregate_id: id, version: 2 });
    });
    await pass(school);
    await eventually(async () => !(await names('SCHOOL')).includes('Course 6 v1'));
    expect(await names('SCHOOL')).toContain('Lecture');
  });

  it('leaves with an erasure of the previous release, which names no entity', async () => {
    await school.get(DataSource).query('delete from event_erasures');
    const text = 'insert into event_erasures (aggregate_id, epoch, version) values ($1, 1, 2)';
    await school.get(DataSource).query(text, [id]);
    await pass(school);
    await eventually(async () => !(await names('SCHOOL')).includes('Lecture'));
    expect(await names('SCHOOL')).not.toContain('Lecture');
  });
});

describe('a pass', () => {
  const [EARLIER, LATER] = [
    { aggregate_id: courseId(5), version: 3, subjects: 'school.course.>' },
    { aggregate_id: courseId(5), version: 4, subjects: 'school.course.>' },
  ];
  let dataSource: DataSource;
  let erasures: EventErasuresRepository;
  let passes: number;

  beforeEach(async () => {
    dataSource = await new DataSource({ type: 'postgres', url: await messagingDatabase() }).initialize();
    erasures = new EventErasuresRepository(dataSource);
    passes = 0;
    await erasures.add(dataSource.manager, EARLIER);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
  });

  /** Runs a pass of one replica. The test decides how it reads the streams. */
  const run = (erase: (step: () => Promise<boolean>) => Promise<void> = async () => undefined): Promise<number> => {
    const read: MessageEraser['erase'] = async (_isErased, step) => {
      passes += 1;
      await erase(step);
      return 0;
    };
    const messages: MessageEraser = Object.create(MessageEraser.prototype, {
      connected: { value: true },
      erase: { value: read },
    });
    return new EventEraser(erasures, messages).run();
  };
  const rows = (): Promise<unknown[]> =>
    dataSource.query(
      `select version, passed_at is not null as passed, leased_until > now() as leased from event_erasures`,
    );
  const agePass = () => dataSource.query(`update event_erasures set passed_at = now() - interval '61 minutes'`);
  /** Simulates that a minute has passed since the last renewal. */
  const expire = () => dataSource.query(`update event_erasures set leased_until = now() - interval '1 second'`);
  const dueForRenewal = (): void => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + LIMITS.erasureLeaseRenewal + 1);
  };

  it('keeps no transaction open while it reads the streams', async () => {
    let open: unknown[] = [{}];
    await run(async () => {
      open = await dataSource.query(
        `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
    });
    expect([open, await rows()]).toEqual([[], [{ version: 3, passed: true, leased: null }]]);
  });

  it('keeps other replicas away until its lease ends', async () => {
    await run(async () => {
      await run();
      expect([passes, await rows()]).toEqual([1, [{ version: 3, passed: false, leased: true }]]);
      await expire();
      await run();
      expect(passes).toBe(2);
    });
    expect(await rows()).toEqual([{ version: 3, passed: true, leased: null }]);
  });

  it('renews its lease, and ends without one', async () => {
    await run(async (step) => {
      await expire();
      dueForRenewal();
      expect([await step(), await rows()]).toEqual([true, [{ version: 3, passed: false, leased: true }]]);
      await dataSource.query('update event_erasures set leased_until = null');
      dueForRenewal();
      expect(await step()).toBe(false);
    });
    expect(await rows()).toEqual([{ version: 3, passed: false, leased: null }]);
  });

  it('leaves a position that was requested while it ran to the next pass', async () => {
    await run(() => erasures.add(dataSource.manager, LATER));
    expect(await rows()).toEqual([{ version: 4, passed: false, leased: null }]);
    await run();
    expect([passes, await rows()]).toEqual([2, [{ version: 4, passed: true, leased: null }]]);
  });

  it.each(['event', 'bulk'])(
    'runs for the second time after the outbox has sent what it had in %s',
    async (channel) => {
      await dataSource.query(
        `insert into outbox (id, channel, subject, aggregate_id, payload, created_at)
       values (uuidv7(), $1, 'school.course.updated.v1', $2, '{}', now() - interval '2 hours')`,
        [channel, EARLIER.aggregate_id],
      );
      // The request itself is older than the outage.
      await dataSource.query(`update event_erasures set requested_at = now() - interval '61 minutes'`);
      await run();
      await run();
      expect([passes, await rows()]).toEqual([1, [{ version: 3, passed: true, leased: null }]]);
      await agePass();
      await run();
      expect(passes).toBe(1);
      // Published, and a later event follows.
      await dataSource.query('update outbox set created_at = now()');
      await run();
      expect([passes, await rows()]).toEqual([2, []]);
    },
  );
});
