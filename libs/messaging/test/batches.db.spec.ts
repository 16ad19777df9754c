import { eventually } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { LIMITS } from '../src/connection/limits.js';
import { addCourse, courseId, publishCourse } from './events.js';
import { ReadingScene, applied, processed, untilApplied, write } from './consumer-scene.js';
import type { Apply } from './consumer-scene.js';
import { sleep } from './service.js';
import type { TestService } from './service.js';
import { Outbox } from '../src/index.js';

const WAITING = LIMITS.batchSteps * 3;

let scene: ReadingScene;
let school: TestService;
beforeEach(async () => {
  scene = await ReadingScene.open();
  school = await scene.startSchool();
});
afterEach(() => scene.close());

/** Publishes the events of the courses 1 to `count` before a consumer starts. */
async function publishAll(count: number): Promise<void> {
  await school.get(Outbox).transaction(async (manager) => {
    for (let n = 1; n <= count; n += 1) await addCourse(school, manager, n, 1);
  });
  await eventually(async () => (await school.metric('outbox_published_total')) === count);
}

const versionsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at + 1}:1`);

/** Number of transactions that wrote the rows. */
async function transactions(learner: TestService): Promise<number> {
  const [row] = await learner
    .get(DataSource)
    .query<{ count: number }[]>('SELECT count(DISTINCT xmin::text)::int AS count FROM applied');
  return row?.count ?? 0;
}

test('applies waiting events in few transactions, in order', async () => {
  await publishAll(WAITING);
  const learner = await scene.startLearner();
  await untilApplied(learner, WAITING);
  expect(await applied(learner)).toEqual(versionsOf(WAITING));
  expect(await transactions(learner)).toBeLessThanOrEqual(WAITING / 8);
  // It is counted after the commit.
  await eventually(async () => (await processed(learner, 'applied')) === WAITING);
});

test('applies an event that arrives alone at once', async () => {
  const learner = await scene.startLearner();
  for (let n = 1; n <= 3; n += 1) {
    await publishCourse(school, n);
    await untilApplied(learner, n);
  }
  expect(await transactions(learner)).toBe(3);
});

test('applies the other events of a batch when one fails, and stores that one as a dead letter', async () => {
  const poisoned = courseId(Math.floor(WAITING / 2));
  await publishAll(WAITING);
  const learner = await scene.startLearner(async (id, version, manager) => {
    await write(id, version, manager);
    if (id === poisoned) throw new Error('cannot be applied');
  });
  await eventually(async () => (await processed(learner, 'dead')) === 1);
  await untilApplied(learner, WAITING - 1);
  const expected = versionsOf(WAITING).filter((_, at) => courseId(at + 1) !== poisoned);
  expect(await applied(learner)).toEqual(expected);
  expect(await scene.deadLetters()).toBe(1);
  expect(await processed(learner, 'failed')).toBe(2);
  expect(await transactions(learner)).toBeLessThanOrEqual(WAITING / 4);
});

test('stores an unreadable event of a batch as a dead letter without a second batch', async () => {
  await scene.publishRaw('school.course.updated.v1', 'certainly not');
  await publishAll(WAITING);
  const learner = await scene.startLearner();
  await untilApplied(learner, WAITING);
  expect(await applied(learner)).toEqual(versionsOf(WAITING));
  await eventually(async () => (await processed(learner, 'dead')) === 1);
  expect(await transactions(learner)).toBeLessThanOrEqual(WAITING / 8);
});

test('applies an event that is in a batch twice only once', async () => {
  await publishAll(2);
  await scene.repeat(1);
  const learner = await scene.startLearner();
  await eventually(async () => (await processed(learner, 'repeated')) === 1);
  expect(await applied(learner)).toEqual(['1:1', '2:1']);
});

test('passes the events of one aggregate to a batch consumer in order, each once', async () => {
  const batches: string[][] = [];
  await publishAll(LIMITS.batchEvents);
  for (let version = 2; version <= 5; version += 1) await publishCourse(school, 1, version);
  const learner = await scene.startLearnerOfMany(async (events, manager) => {
    batches.push(events.map(({ aggregate_id: id, aggregate_version: version }) => `${id}:${version}`));
    for (const { aggregate_id, aggregate_version } of events) await write(aggregate_id, aggregate_version, manager);
  });
  await untilApplied(learner, LIMITS.batchEvents + 4);
  const given = batches.flat();
  expect(new Set(given).size).toBe(LIMITS.batchEvents + 4);
  expect(given.filter((line) => line.startsWith(courseId(1)))).toEqual(
    [1, 2, 3, 4, 5].map((v) => `${courseId(1)}:${v}`),
  );
  expect(Math.max(...batches.map(({ length }) => length))).toBeGreaterThan(LIMITS.batchSteps);
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(LIMITS.batchEvents);
});

test('returns unprocessed events when the service stops, and the next process applies them once', async () => {
  await publishAll(WAITING);
  let begun = 0;
  const slow: Apply = async (id, version, manager) => {
    begun += 1;
    // All events together take longer than the stop of the service.
    await sleep(20);
    await write(id, version, manager);
  };
  const first = await scene.startLearner(slow);
  await eventually(() => begun > 0);
  await first.close();
  expect(begun).toBeLessThan(WAITING);
  const second = await scene.startLearner();
  await untilApplied(second, WAITING);
  expect((await applied(second)).sort()).toEqual(versionsOf(WAITING).sort());
});

test('delivers no event twice that waits behind a slow batch', async () => {
  const count = LIMITS.batchSteps * 2;
  await publishAll(count);
  // Shorter than the duration of a batch. The reports of progress, three in this time, survive a pause of the process.
  await scene.limitAckWait(3_000);
  const learner = await scene.startLearner(async (id, version, manager) => {
    await sleep(100);
    await write(id, version, manager);
  });
  await untilApplied(learner, count);
  await eventually(async () => (await processed(learner, 'applied')) === count);
  expect(await learner.metric('events_redelivered_total')).toBe(0);
});
