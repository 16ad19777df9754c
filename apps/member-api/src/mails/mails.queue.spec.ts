import { retrySeconds } from '@lyceum/jobs';
import { MAILS } from './mails.queue.js';

it('retries a mail for about two days', () => {
  const waits = Array.from({ length: MAILS.attempts - 1 }, (_, made) => retrySeconds(made + 1, MAILS) ?? 0);
  const days = waits.reduce((sum, wait) => sum + wait, 0) / 86_400;
  expect([days > 1, days < 3]).toEqual([true, true]);
});
