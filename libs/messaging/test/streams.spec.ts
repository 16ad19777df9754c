import { testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { StorageType, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { Nats } from '../src/index.js';
import { closeServices, eventually, logs, startService } from './service.js';
import type { TestService } from './service.js';

let nats: TestNats;
beforeEach(async () => {
  nats = await testNats();
});
afterEach(async () => {
  await closeServices();
  await nats.stop();
});

async function asAdmin<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const { NATS_URL, NATS_USER, NATS_PASSWORD } = nats.environment('admin');
  const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD });
  return work(await jetstreamManager(connection)).finally(() => connection.close());
}

const names = (): Promise<string[]> =>
  asAdmin(async (manager) => {
    const found: string[] = [];
    for await (const { config } of manager.streams.list()) found.push(config.name);
    return found.sort();
  });

async function startSchool(): Promise<TestService> {
  const school = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    streams: ['SCHOOL'],
  });
  await school.get(Nats).ready();
  return school;
}

const thirtyDays = nanos(30 * 24 * 3_600_000);

test('the owner makes its stream, and anybody the dead letters, with the declared limits', async () => {
  await startSchool();
  await eventually(async () => (await names()).join() === 'DEAD_LETTERS,SCHOOL');
  await asAdmin(async (manager) => {
    expect((await manager.streams.info('SCHOOL')).config).toMatchObject({
      subjects: ['school.>'],
      storage: 'file',
      retention: 'limits',
      max_age: thirtyDays,
      duplicate_window: nanos(600_000),
      num_replicas: 1,
    });
    expect((await manager.streams.info('DEAD_LETTERS')).config).toMatchObject({
      subjects: ['dead-letters.*.*'],
      max_age: 3 * thirtyDays,
    });
  });
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('who owns no stream makes none', async () => {
  const learner = await startService({ service: 'member-api', nats: nats.environment('member-api') });
  await learner.get(Nats).ready();
  await eventually(async () => (await names()).join() === 'DEAD_LETTERS');
  expect(await names()).toEqual(['DEAD_LETTERS']);
});

test('a stream of an older declaration is brought up to date and keeps its messages', async () => {
  await asAdmin(async (manager) => {
    await manager.streams.add({
      name: 'SCHOOL',
      subjects: ['school.>'],
      storage: StorageType.File,
      max_age: nanos(60_000),
    });
  });
  await startSchool();
  const maxAge = () => asAdmin(async (manager) => (await manager.streams.info('SCHOOL')).config.max_age);
  await eventually(async () => (await maxAge()) === thirtyDays);
  expect(await maxAge()).toBe(thirtyDays);
});

test('a declaration that the server does not take is said, and the service goes on', async () => {
  await asAdmin(async (manager) => {
    // Storage cannot be changed afterwards.
    await manager.streams.add({ name: 'SCHOOL', subjects: ['school.>'], storage: StorageType.Memory });
  });
  const school = await startSchool();
  await eventually(() => logs.some((line) => line.includes('a stream could not be made')));
  expect(school.get(Nats).connected).toBe(true);
});

test('a server that lost its streams gets them again with the next connection', async () => {
  const school = await startSchool();
  await eventually(async () => (await names()).includes('SCHOOL'));
  await asAdmin((manager) => manager.streams.delete('SCHOOL'));
  await nats.kill();
  await eventually(() => !school.get(Nats).connected);
  await nats.restart();
  await eventually(async () => (await names()).includes('SCHOOL'));
  expect(await names()).toEqual(['DEAD_LETTERS', 'SCHOOL']);
});
