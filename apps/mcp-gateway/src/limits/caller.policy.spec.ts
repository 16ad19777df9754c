import type { Principal } from '@lyceum/contracts';
import { callerKey, messageLimits, quotasOf } from './caller.policy.js';

const principal = { person_id: 'ada', client_id: 'reader' } as Principal;
const limits = messageLimits({
  ANONYMOUS_MESSAGES: 30,
  ANONYMOUS_SECONDS: 6,
  CLIENT_MESSAGES: 100,
  PERSON_MESSAGES: 500,
});
const ip = '2001:db8:1:2::7';

it('takes the numbers of the limits from the settings', () => {
  expect(limits).toEqual({
    anonymous: { name: 'anonymous', hits: 30, windowSeconds: 6, unit: 'messages', unshared: 3 },
    client: { name: 'client', hits: 100, windowSeconds: 60, unit: 'messages' },
    person: { name: 'person', hits: 500, windowSeconds: 60, unit: 'messages', unshared: 50 },
  });
});

describe('quotasOf', () => {
  it.each([
    ['a source without a token', null, [{ limit: limits.anonymous, subject: 'site:2001:db8:1:2::/64' }]],
    [
      'a person with a client',
      principal,
      [
        { limit: limits.client, subject: 'site:ada:reader' },
        { limit: limits.person, subject: 'site:ada' },
      ],
    ],
  ])('counts %s', (_who, caller, quotas) => {
    expect(quotasOf(limits, { siteId: 'site', principal: caller, ip })).toEqual(quotas);
  });

  it('counts the caller that its streams count for first', () => {
    for (const caller of [null, principal]) {
      const [{ subject }] = quotasOf(limits, { siteId: 'site', principal: caller, ip });
      expect(subject).toBe(callerKey('site', caller, ip));
    }
  });
});
