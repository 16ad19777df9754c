import { connectionOptions, parseAddresses } from './server-address.js';

test.each([
  ['nats://localhost', { servers: ['localhost:4222'], user: undefined, pass: undefined, tls: false }],
  ['127.0.0.1:4333', { servers: ['127.0.0.1:4333'], user: undefined, pass: undefined, tls: false }],
  ['nats://a:4222, nats://b:4223', { servers: ['a:4222', 'b:4223'], user: undefined, pass: undefined, tls: false }],
  ['tls://a:4222', { servers: ['a:4222'], user: undefined, pass: undefined, tls: true }],
  ['nats://auth:p%40ss%2Fword@a', { servers: ['a:4222'], user: 'auth', pass: 'p@ss/word', tls: false }],
  ['nats://[::1]:4222', { servers: ['[::1]:4222'], user: undefined, pass: undefined, tls: false }],
])('parses %s', (NATS_URL, expected) => {
  expect(parseAddresses({ NATS_URL })).toEqual(expected);
});

test('prefers NATS_USER and NATS_PASSWORD over the URL', () => {
  const configuration = { NATS_URL: 'nats://a:b@host', NATS_USER: 'auth', NATS_PASSWORD: 'secret' };
  expect(parseAddresses(configuration)).toMatchObject({ user: 'auth', pass: 'secret' });
});

test('keeps reconnecting, detects a dead server and has its own inbox', () => {
  expect(connectionOptions('auth', { NATS_URL: 'nats://a' })).toMatchObject({
    name: 'auth',
    inboxPrefix: '_INBOX_auth',
    maxReconnectAttempts: -1,
    pingInterval: 5_000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
  });
});
