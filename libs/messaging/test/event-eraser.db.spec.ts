import { courseEvents, deadLetterStream } from '@lyceum/contracts';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import { EventConsumers, Nats, Outbox } from '../src/index.js';
import { EventEraser } from '../src/outbox/event-eraser.js';
import { LIMITS } from '../src/connection/limits.js';
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
  service.get(Outbox).transaction((tx) => service.get(Outbox).erase(tx, { ...ERASED, ...(epoch && { epoch }) }));
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
  await school.get(DataSource).query(`update event_erasures set requested_at = now() - interval '61 minutes'`);
  await pass(school);
  await eventually(async () => (await names('SCHOOL')).join() === 'Course 1 v3,Course 2 v1');
  await eventually(async () => (await erasures(school)).length === 0);
});

it('reads a stream of several batches to its end', async () => {
  const many = LIMITS.replayBatch + 10;
  for (let version = 1; version <= many; version += 1) await publishCourse(school, 3, version);
  await eventually(async () => (await names('SCHOOL')).length === many + 2);
  const last = { aggregate_id: courseId(3), version: many };
  await school.get(Outbox).transaction((tx) => school.get(Outbox).erase(tx, last));
  await pass(school);
  await eventually(async () => (await names('SCHOOL')).length === 3);
  expect(await names('SCHOOL')).toContain(`Course 3 v${many}`);
});
