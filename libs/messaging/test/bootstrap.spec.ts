import { connectAs, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { StorageType, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

let nats: TestNats;
beforeEach(async () => {
  nats = await testNats({ bare: true });
});
afterEach(() => nats.stop());

async function asAdmin<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connectAs(nats.environment('admin'));
  return work(await jetstreamManager(connection)).finally(() => connection.close());
}

/** Every stream and consumer with its configuration and creation time. */
const everything = () =>
  asAdmin(async (manager) => {
    const found: Record<string, unknown> = {};
    for await (const { config, created } of manager.streams.list()) {
      found[config.name] = { config, created };
      for await (const consumer of manager.consumers.list(config.name)) {
        found[`${config.name}/${consumer.name}`] = { config: consumer.config, created: consumer.created };
      }
    }
    return found;
  });

const thirtyDays = nanos(30 * 24 * 3_600_000);

test('creates all streams, buckets and consumers with their limits', async () => {
  await nats.bootstrap();
  const found = await everything();
  expect(
    Object.keys(found)
      .filter((name) => !name.includes('/'))
      .sort(),
  ).toEqual([
    'DEAD_LETTERS_admin-api',
    'DEAD_LETTERS_auth',
    'DEAD_LETTERS_member-api',
    'IDENTITY',
    'KV_sites',
    'KV_tool-catalogs',
    'LEARNER',
    'SCHOOL',
    'SHARED_VALUES',
  ]);
  expect(found['SHARED_VALUES']).toMatchObject({
    config: { storage: 'memory', max_msgs_per_subject: 1, discard: 'old', max_bytes: 64 * 1_024 * 1_024 },
  });
  expect(found['SCHOOL']).toMatchObject({
    config: {
      subjects: ['school.>'],
      storage: 'file',
      retention: 'limits',
      max_age: thirtyDays,
      duplicate_window: nanos(600_000),
      num_replicas: 1,
    },
  });
  expect(found['DEAD_LETTERS_member-api']).toMatchObject({
    config: { subjects: ['dead-letters.member-api.*'], max_age: 3 * thirtyDays },
  });
  expect(found['KV_tool-catalogs']).toMatchObject({
    config: {
      max_msgs_per_subject: 1,
      allow_msg_ttl: true,
      republish: { src: '$KV.tool-catalogs.>', dest: 'kv-changes.tool-catalogs.>', headers_only: true },
    },
  });
  expect(found['SCHOOL/member-api-reminders']).toMatchObject({
    config: {
      filter_subjects: ['school.event.*.v1', 'school.consulting_booking.*.v1'],
      ack_policy: 'explicit',
      deliver_policy: 'all',
      max_ack_pending: 2_048,
      max_deliver: -1,
    },
  });
  expect(found['SCHOOL/member-api-reminders']).not.toHaveProperty('config.deliver_subject');
});

test('changes nothing in a second run', async () => {
  await nats.bootstrap();
  const before = await everything();
  await nats.bootstrap();
  expect(await everything()).toEqual(before);
});

test('recreates deleted resources and leaves the others alone', async () => {
  await nats.bootstrap();
  const before = await everything();
  await asAdmin(async (manager) => {
    await manager.streams.delete('SCHOOL');
    await manager.consumers.delete('IDENTITY', 'member-api-people');
  });
  await nats.bootstrap();
  const after = await everything();
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  const again = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  expect(again.every((name) => name.startsWith('SCHOOL') || name === 'IDENTITY/member-api-people')).toBe(true);
  expect(again).toContain('IDENTITY/member-api-people');
});

test('updates a stream of an older declaration and keeps its messages', async () => {
  await asAdmin(async (manager) => {
    await manager.streams.add({
      name: 'SCHOOL',
      subjects: ['school.>'],
      storage: StorageType.File,
      max_age: nanos(60_000),
    });
  });
  const connection = await connectAs(nats.environment('admin'));
  await connection.request('school.course.created.v1', '{}');
  await connection.close();
  await nats.bootstrap();
  const { config, state } = await asAdmin((manager) => manager.streams.info('SCHOOL'));
  expect([config.max_age, state.messages]).toEqual([thirtyDays, 1]);
});

test('fails for a stream that the server cannot change to the declaration', async () => {
  // The storage type of a stream cannot be changed.
  await asAdmin((manager) =>
    manager.streams.add({ name: 'SCHOOL', subjects: ['school.>'], storage: StorageType.Memory }),
  );
  await expect(nats.bootstrap(0)).rejects.toThrow('storage');
});
