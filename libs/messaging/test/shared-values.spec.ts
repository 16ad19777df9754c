import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Nats, SharedValues } from '../src/index.js';
import { closeServices, startService } from './service.js';

let nats: TestNats;
beforeAll(async () => {
  nats = await testNats();
});
afterAll(async () => {
  await closeServices();
  await nats.stop();
});

async function replica(): Promise<{ connection: Nats; values: SharedValues }> {
  const service = await startService({ service: 'mcp-gateway', nats: nats.environment('mcp-gateway') });
  const connection = service.get(Nats);
  await connection.ready();
  return { connection, values: service.get(SharedValues) };
}

test('lets one of two replicas change a revision, and shows the other one its value', async () => {
  const [{ values: first }, { values: second }] = await Promise.all([replica(), replica()]);
  expect(await first.read('key')).toBeUndefined();
  const created = await first.write('key', 'a', 0);
  expect(created).toBeGreaterThan(0);
  expect(await second.write('key', 'b', 0)).toBeUndefined();
  expect(await second.read('key')).toEqual({ text: 'a', revision: created });
  const changed = await second.write('key', 'b', created!);
  expect(changed).toBeGreaterThan(created!);
  expect(await first.write('key', 'c', created!)).toBeUndefined();
  expect(await first.read('key')).toEqual({ text: 'b', revision: changed });
});

test('throws at once without NATS', async () => {
  const { connection, values } = await replica();
  await nats.kill();
  await eventually(() => !connection.connected);
  await expect(values.write('other', 'a', 0)).rejects.toThrow('NATS is not connected');
  await expect(values.read('other')).rejects.toThrow('NATS is not connected');
  await nats.restart();
});
