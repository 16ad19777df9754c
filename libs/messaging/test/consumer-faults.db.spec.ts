import { SYSTEM_ACTOR } from '@lyceum/contracts';
import { migrateDatabase } from '@lyceum/platform';
import { databaseGate, emptyDatabase, eventually } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { messagingMigrations } from '../src/index.js';
import { SITE, course, courseId, publishCourse } from './events.js';
import { ReadingScene, applied, processed, untilApplied, write } from './consumer-scene.js';
import { logs, sleep } from './service.js';

let scene: ReadingScene;
beforeEach(async () => {
  scene = await ReadingScene.open();
});
afterEach(() => scene.close());

test('rolls back a failed handler and delivers the event again', async () => {
  const school = await scene.startSchool();
  let failures = 0;
  const learner = await scene.startLearner(async (n, version, manager) => {
    await write(n, version, manager);
    failures += 1;
    if (failures <= 2) throw new Error('not yet');
  });
  await publishCourse(school, 1);
  await eventually(async () => (await processed(learner, 'applied')) === 1);
  expect(await applied(learner)).toEqual(['1:1']);
  expect(await processed(learner, 'failed')).toBe(2);
  expect(await learner.metric('events_redelivered_total')).toBe(2);
  expect(await scene.deadLetters()).toBe(0);
});

test('stores an event that always fails as a dead letter with its error, and applies the others', async () => {
  const school = await scene.startSchool();
  const learner = await scene.startLearner(async (n, version, manager) => {
    if (n === courseId(1)) throw new Error('cannot be applied', { cause: new Error('the reason') });
    await write(n, version, manager);
  });
  await publishCourse(school, 1);
  await publishCourse(school, 2);
  await eventually(async () => (await processed(learner, 'dead')) === 1);
  await untilApplied(learner, 1);
  expect(await applied(learner)).toEqual(['2:1']);
  // The configured delays allow two retries.
  expect(await processed(learner, 'failed')).toBe(2);
  const letter = await scene.withAdmin(async (connection) => {
    const manager = await jetstreamManager(connection);
    return manager.streams.getMessage('DEAD_LETTERS_member-api', { last_by_subj: 'dead-letters.member-api.courses' });
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
])('stores a message that is %s as a dead letter at once', async (_what, body) => {
  const school = await scene.startSchool();
  const learner = await scene.startLearner();
  await publishCourse(school, 2);
  await untilApplied(learner, 1);
  await scene.withAdmin(async (connection) => {
    await jetstream(connection).publish('school.course.updated.v1', body);
  });
  await eventually(async () => (await processed(learner, 'dead')) === 1);
  expect(await processed(learner, 'failed')).toBe(0);
  expect(await scene.deadLetters()).toBe(1);
});

function envelope() {
  return {
    id: courseId(99),
    type: 'school.course.updated.v1',
    aggregate_id: courseId(1),
    aggregate_version: 1,
    site_id: SITE,
    occurred_at: '2026-11-20T10:00:00.000Z',
    epoch: 1,
    actor: SYSTEM_ACTOR,
    data: course(1),
  };
}

test('discards no event while the database is down, and applies all after it is back', async () => {
  const gate = await databaseGate(scene.learnerDatabase);
  const school = await scene.startSchool();
  const learner = await scene.startLearner(write, gate.url);
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  gate.shut();
  for (let n = 2; n <= 6; n += 1) await publishCourse(school, n);
  await eventually(() => logs.some((line) => line.includes('the database is unavailable')));
  // Longer than all retry delays together.
  await sleep(300);
  gate.open();
  await untilApplied(learner, 6);
  expect(await applied(learner)).toEqual(['1:1', '2:1', '3:1', '4:1', '5:1', '6:1']);
  expect(await processed(learner, 'failed')).toBe(0);
  expect(await scene.deadLetters()).toBe(0);
  await learner.close();
  await gate.close();
});

// Each use of a prepared statement carries its name, and only the first one of a connection its text.
test.each(['inbox_record', 'INSERT INTO applied'])(
  'counts no failure against the events when the connection dies after "%s"',
  async (words) => {
    const gate = await databaseGate(scene.learnerDatabase);
    const school = await scene.startSchool();
    const learner = await scene.startLearner(write, gate.url);
    await publishCourse(school, 1);
    await untilApplied(learner, 1);
    gate.endAfter(words);
    await publishCourse(school, 2);
    await untilApplied(learner, 2);
    expect(gate.ended).toBe(1);
    expect(await applied(learner)).toEqual(['1:1', '2:1']);
    expect(await processed(learner, 'failed')).toBe(0);
    expect(await learner.metric('events_redelivered_total')).toBe(0);
    await learner.close();
    await gate.close();
  },
);

test('waits for a missing migration before it applies events', async () => {
  const school = await scene.startSchool();
  await publishCourse(school, 1);
  const { url, drop } = await emptyDatabase();
  const learner = await scene.startLearner(write, url);
  await eventually(() => logs.some((line) => line.includes('migrations are pending')));
  expect(await learner.metric('events_read_failures_total')).toBeGreaterThan(0);
  expect(await processed(learner, 'failed')).toBe(0);
  await migrateDatabase({ url, applicationName: 'test', entities: [], migrations: messagingMigrations });
  await untilApplied(learner, 1);
  expect(await scene.deadLetters()).toBe(0);
  await learner.close();
  await drop();
});

test('continues after NATS was killed and restarted', async () => {
  const school = await scene.startSchool();
  const learner = await scene.startLearner();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  await scene.nats.kill();
  await publishCourse(school, 2);
  await scene.nats.restart();
  await untilApplied(learner, 2);
  expect(await applied(learner)).toEqual(['1:1', '2:1']);
});

test('finishes the current batch when the service stops, and leaves the rest to the next process', async () => {
  const school = await scene.startSchool();
  // The server may have sent events that the stopped process does not read any more.
  await scene.limitAckWait(1_000);
  let begun = 0;
  const release = Promise.withResolvers<void>();
  const first = await scene.startLearner(async (n, version, manager) => {
    begun += 1;
    await release.promise;
    await write(n, version, manager);
  });
  await publishCourse(school, 1);
  await eventually(() => begun === 1);
  for (let n = 2; n <= 5; n += 1) await publishCourse(school, n);
  const closed = first.close();
  release.resolve();
  await closed;
  expect(begun).toBe(1);
  const second = await scene.startLearner();
  await untilApplied(second, 5);
  expect((await applied(second)).sort()).toEqual(['1:1', '2:1', '3:1', '4:1', '5:1']);
});
