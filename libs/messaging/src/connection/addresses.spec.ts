import { areAddresses } from './addresses.js';

it.each([
  ['nats://nats:4222', true],
  ['nats', true],
  ['nats-0:4222, nats-1:4222', true],
  ['tls://auth:secret@nats.example:4222,nats://nats.example', true],
  ['', false],
  ['nats://', false],
  ['nats://nats:99999', false],
  ['nats://nats:4222,', false],
  ['http://nats:4222', false],
  ['wss://nats:443', false],
])('decides whether %j has addresses of NATS: %s', (text, expected) => {
  expect(areAddresses(text)).toBe(expected);
});
