import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Nats } from '../src/index.js';
import { closeServices, logs, startService } from './service.js';

let nats: TestNats;
beforeAll(async () => {
  nats = await testNats();
});
afterEach(closeServices);
afterAll(() => nats.stop());

test('starts without NATS, is not ready, and becomes ready when NATS comes', async () => {
  const environment = nats.environment('auth');
  await nats.kill();
  const service = await startService({ service: 'auth', nats: environment });
  expect(service.get(Nats).connected).toBe(false);
  expect(await service.health.readiness()).toEqual({
    ready: false,
    checks: { nats: 'not_ready' },
    reasons: { nats: expect.stringMatching(/\w/) },
  });
  await nats.restart();
  await service.get(Nats).ready();
  expect(service.get(Nats).connected).toBe(true);
  await eventually(async () => (await service.health.readiness()).ready);
});

test('stays ready without NATS after the first connection, and reconnects', async () => {
  const service = await startService({ service: 'auth', nats: nats.environment('auth') });
  const connection = service.get(Nats);
  await connection.ready();
  const received: string[] = [];
  connection.onDisconnect(() => received.push('disconnect'));
  connection.onConnect(() => received.push('connect'));
  await nats.kill();
  await eventually(() => !connection.connected);
  expect(await service.metric('nats_connected')).toBe(0);
  expect((await service.health.readiness()).ready).toBe(true);
  await nats.restart();
  await connection.ready();
  expect(received).toEqual(['disconnect', 'connect']);
  expect(await service.metric('nats_connected')).toBe(1);
  expect(await service.metric('nats_connections_total')).toBe(2);
});

test('uses the credentials in NATS_URL', async () => {
  const { NATS_URL, NATS_PASSWORD } = nats.environment('auth');
  const url = new URL(NATS_URL);
  url.username = 'auth';
  url.password = NATS_PASSWORD;
  const service = await startService({ service: 'auth', nats: { NATS_URL: url.href } });
  await service.get(Nats).ready();
  expect(service.get(Nats).connected).toBe(true);
});

test('logs wrong credentials once, without the password', async () => {
  const environment = { ...nats.environment('auth'), NATS_PASSWORD: 'not-the-password' };
  const service = await startService({ service: 'auth', nats: environment });
  await eventually(() => logs.some((line) => line.includes('Authorization Violation')));
  expect(logs.join()).not.toContain('not-the-password');
  expect((await service.health.readiness()).ready).toBe(false);
});

test('rejects a server older than 2.11 and logs its version', async () => {
  const old = createServer((socket) => {
    const info = { server_id: 'x', version: '2.10.29', max_payload: 1_048_576, headers: true, proto: 1 };
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('PONG\r\n'));
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  }).listen(0, '127.0.0.1');
  await eventually(() => old.listening);
  const { port } = old.address() as AddressInfo;
  const service = await startService({ service: 'auth', nats: { NATS_URL: `nats://127.0.0.1:${port}` } });
  await eventually(() => logs.some((line) => line.includes('the server is 2.10.29, at least 2.11.0 is needed')));
  expect(service.get(Nats).connected).toBe(false);
  expect((await service.health.readiness()).ready).toBe(false);
  await service.close();
  old.close();
});

test('stops while NATS is down', async () => {
  const never = await startService({ service: 'auth', nats: { NATS_URL: 'nats://127.0.0.1:1' } });
  await never.close();
  const service = await startService({ service: 'auth', nats: nats.environment('auth') });
  await service.get(Nats).ready();
  await nats.kill();
  await service.close();
  expect(service.get(Nats).connected).toBe(false);
  await nats.restart();
});
