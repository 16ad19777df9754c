import { Webhook } from 'standardwebhooks';
import { newSecret, signaturesOf } from './webhook-secret.policy.js';

const BODY = '{"type":"order.paid","timestamp":"2026-11-20T08:00:00.000Z","data":{"name":"Ölmalerei"}}';
const now = () => Math.floor(Date.now() / 1_000);

function headersOf(secrets: readonly string[], timestamp = now()) {
  const id = '019ab3c0-0000-7000-8000-000000000001';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signaturesOf(secrets, { id, timestamp, body: BODY }),
  };
}

it('makes different secrets of 32 bytes', () => {
  const [one, two] = [newSecret(), newSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(two);
});

it('signs as Standard Webhooks verifies, with each secret of a rotation', () => {
  const [one, two] = [newSecret(), newSecret()];
  for (const secret of [one, two]) {
    expect(new Webhook(secret).verify(BODY, headersOf([one, two]))).toEqual(JSON.parse(BODY));
  }
});

it.each([
  ['another secret', 'No matching', () => headersOf([newSecret()])],
  ['another id', 'No matching', (secret: string) => ({ ...headersOf([secret]), 'webhook-id': 'other' })],
  [
    'another instant',
    'No matching',
    (secret: string) => ({ ...headersOf([secret]), 'webhook-timestamp': String(now() - 1) }),
  ],
  ['an instant of ten minutes ago', 'too old', (secret: string) => headersOf([secret], now() - 600)],
])('makes receivers refuse %s', (_name, error, make) => {
  const secret = newSecret();
  expect(() => new Webhook(secret).verify(BODY, make(secret))).toThrow(error);
});
