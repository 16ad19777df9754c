import { testNats } from '@lyceum/testing';
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

async function replica(): Promise<SharedValues> {
  const service = await startService({ service: 'mcp-gateway', nats: nats.environment('mcp-gateway') });
  await service.get(Nats).ready();
  return service.get(SharedValues);
}

test('lets one of two replicas change a revision, and shows the other one its value', async () => {
  const [first, second] = await Promise.all([replica(), replica()]);
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
  const values = await replica();
  await nats.kill();
  const start = Date.now();
  await expect(values.write('other', 'a', 0)).rejects.toThrow();
  await expect(values.read('other')).rejects.toThrow();
  expect(Date.now() - start).toBeLessThan(2_500);
  await nats.restart();
});
