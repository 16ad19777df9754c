import { testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Nats } from '../src/index.js';
import { LIMITS } from '../src/limits.js';
import { OutboxRepository } from '../src/outbox.repository.js';
import { publishCourse } from './events.js';
import { closeServices, eventually, messagingDatabase, startService } from './service.js';

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
  const oldest = repository.oldest.bind(repository);
  const looks: number[] = [];
  repository.oldest = (manager, channel) => {
    if (channel === 'event') looks.push(performance.now());
    return oldest(manager, channel);
  };
  for (let version = 1; version <= 60; version += 1) await publishCourse(school, 1, version);
  await eventually(async () => (await repository.unsent(1)) === 0);
  const rests = looks.slice(1).map((look, at) => look - (looks[at] ?? 0));
  expect(rests.length).toBeGreaterThan(1);
  // A timer may end a millisecond early.
  expect(Math.min(...rests)).toBeGreaterThanOrEqual(LIMITS.relayRest - 1);
});
