import { isPermanent } from './refusal.policy.js';

const answered = (responseCode?: number): Error => Object.assign(new Error('refused'), { responseCode });

it.each([
  ['no such mailbox', answered(550), true],
  ['a transaction that failed', answered(554), true],
  ['a mailbox that is busy', answered(450), false],
  ['a server that closes', answered(421), false],
  ['a password that is wrong', answered(535), false],
  ['a command that it does not know', answered(500), false],
  ['no answer', answered(), false],
  ['no connection', Object.assign(new Error('away'), { code: 'ECONNECTION' }), false],
  ['what is no error', 550, false],
])('classifies %s', (_what, error, permanent) => {
  expect(isPermanent(error)).toBe(permanent);
});
