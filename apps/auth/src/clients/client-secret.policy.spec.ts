import { sha256 } from '#src/secrets/digest.js';
import { isAuthentic } from './client-secret.policy.js';

const NEW = sha256('new');
const OLD = sha256('old');

it.each([
  ['a public client without a secret', null, null, undefined, true],
  ['a public client with a secret', null, null, 'new', false],
  ['a confidential client without a secret', NEW, null, undefined, false],
  ['the secret', NEW, null, 'new', true],
  ['a former secret', NEW, null, 'old', false],
  ['the new secret during a rotation', NEW, OLD, 'new', true],
  ['the old secret during a rotation', NEW, OLD, 'old', true],
  ['another secret during a rotation', NEW, OLD, 'other', false],
  ['no secret during a rotation', NEW, OLD, undefined, false],
])('authenticates by %s', (_what, secret_hash, previous_secret_hash, given, expected) => {
  expect(isAuthentic({ secret_hash, previous_secret_hash }, given)).toBe(expected);
});
