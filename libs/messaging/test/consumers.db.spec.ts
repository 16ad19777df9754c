import { courseEvents, enrollmentEvents } from '@lyceum/contracts';
import { currentRequest, runInTrace } from '@lyceum/platform';
import type { RequestContext } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { EventConsumers } from '../src/index.js';
import { publishCourse } from './events.js';
import { ReadingScene, applied, processed, untilApplied, write } from './consumer-scene.js';
import { logs, sleep } from './service.js';

let scene: ReadingScene;
beforeEach(async () => {
  scene = await ReadingScene.open();
});
afterEach(() => scene.close());

test('applies events in order, including those published before the consumer existed', async () => {
  const school = await scene.startSchool();
  await publishCourse(school, 1, 1);
  await publishCourse(school, 1, 2);
  const learner = await scene.startLearner();
  await untilApplied(learner, 2);
  await publishCourse(school, 1, 3);
  await untilApplied(learner, 3);
  expect(await applied(learner)).toEqual(['1:1', '1:2', '1:3']);
  // The counter follows the commit.
  await eventually(async () => (await processed(learner, 'applied')) === 3);
  await eventually(async () => (await learner.metric('events_pending')) === 0);
  expect(await learner.metric('events_lag_seconds', { consumer: 'member-api-courses' })).toBeGreaterThanOrEqual(0);
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('runs the handler under the request id and trace of the event’s writer', async () => {
  const school = await scene.startSchool();
  const seen: (RequestContext | undefined)[] = [];
  const learner = await scene.startLearner(async (n, version, manager) => {
    seen.push(currentRequest());
    await write(n, version, manager);
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const carrier = { 'x-request-id': 'request-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await runInTrace(carrier, 'test', () => publishCourse(school, 1));
  await untilApplied(learner, 1);
  expect(seen).toEqual([{ requestId: 'request-1', traceId }]);
});

test('continues after its stream and consumers were deleted and recreated', async () => {
  const learner = await scene.startLearner();
  const school = await scene.startSchool();
  await publishCourse(school, 7);
  await untilApplied(learner, 1);
  await scene.withAdmin(async (connection) => {
    await (await jetstreamManager(connection)).streams.delete('SCHOOL');
  });
  const missing = { kind: 'consumer', name: 'member-api-courses' };
  await eventually(async () => (await learner.metric('messaging_resource_missing', missing)) === 1);
  expect(await learner.metric('events_read_failures_total')).toBeGreaterThan(0);
  await publishCourse(school, 8);
  await scene.nats.bootstrap();
  await untilApplied(learner, 2);
  expect(await applied(learner)).toEqual(['7:1', '8:1']);
  expect(await learner.metric('messaging_resource_missing', missing)).toBe(0);
  await scene.withAdmin(async (connection) => {
    await (await jetstreamManager(connection)).consumers.delete('SCHOOL', 'member-api-courses');
  });
  await publishCourse(school, 9);
  await scene.nats.bootstrap();
  await untilApplied(learner, 3);
  expect(await applied(learner)).toEqual(['7:1', '8:1', '9:1']);
});

test('waits until the bootstrap step has created the stream', async () => {
  await scene.withAdmin(async (connection) => {
    await (await jetstreamManager(connection)).streams.delete('SCHOOL');
  });
  const learner = await scene.startLearner();
  await eventually(() => logs.some((line) => line.includes('stream not found')));
  const school = await scene.startSchool();
  await scene.nats.bootstrap();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  expect(await applied(learner)).toEqual(['1:1']);
});

test('stops a service while its consumer opens', async () => {
  const school = await scene.startSchool();
  await publishCourse(school, 1);
  // Each turn stops a little later in the opening, from before its first request to after its last.
  for (let turn = 0; turn < 20; turn += 1) {
    const learner = await scene.startLearner();
    await sleep(turn);
    await learner.close();
  }
  const learner = await scene.startLearner();
  await untilApplied(learner, 1);
  expect(await applied(learner)).toEqual(['1:1']);
});

test('receives no events of other entities', async () => {
  const school = await scene.startSchool();
  const learner = await scene.startLearner();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  await scene.withAdmin(async (connection) => {
    await jetstream(connection).publish(enrollmentEvents.filter.replace('*', 'activated'), '{}');
  });
  await publishCourse(school, 2);
  await untilApplied(learner, 2);
  expect(await scene.deadLetters()).toBe(0);
});

test('applies an event once that is delivered twice', async () => {
  const school = await scene.startSchool();
  const learner = await scene.startLearner();
  await publishCourse(school, 1);
  await untilApplied(learner, 1);
  // The same event without its message id, which would deduplicate it.
  await scene.withAdmin(async (connection) => {
    const stream = await jetstreamManager(connection);
    const stored = await stream.streams.getMessage('SCHOOL', { seq: 1 });
    await jetstream(connection).publish('school.course.updated.v1', stored?.data);
  });
  await eventually(async () => (await processed(learner, 'repeated')) === 1);
  expect(await applied(learner)).toEqual(['1:1']);
});

test('distributes the events among two replicas and applies none twice', async () => {
  const school = await scene.startSchool();
  const replicas = [await scene.startLearner(), await scene.startLearner()] as const;
  for (let n = 1; n <= 60; n += 1) await publishCourse(school, n);
  await untilApplied(replicas[0], 60);
  // Time for a second replica to apply an event again, which would be wrong.
  await sleep(50);
  const all = await applied(replicas[0]);
  expect(all).toHaveLength(60);
  expect(new Set(all).size).toBe(60);
});

test('rejects a consumer that is not declared, because its user may not read', async () => {
  const learner = await scene.startLearner();
  const declare = (name: string) => () =>
    learner
      .get(EventConsumers)
      .register({ name, stream: 'SCHOOL', events: [courseEvents], handle: () => Promise.resolve() });
  expect(declare('surprise')).toThrow('duties.ts');
  expect(declare('courses')).toThrow('already');
});
