import type { Principal } from '@lyceum/contracts';
import { LIMITS, callerKey, quotasOf } from './caller.policy.js';

const principal = { person_id: 'ada', client_id: 'reader' } as Principal;
const anonymous = { name: 'anonymous', hits: 3, windowSeconds: 60 };
const ip = '2001:db8:1:2::7';

describe('quotasOf', () => {
  it.each([
    ['a source without a token', null, [{ limit: anonymous, subject: 'site:2001:db8:1:2::/64' }]],
    [
      'a person with a client',
      principal,
      [
        { limit: LIMITS.client, subject: 'site:ada:reader' },
        { limit: LIMITS.person, subject: 'site:ada' },
      ],
    ],
  ])('counts %s', (_who, caller, quotas) => {
    expect(quotasOf(anonymous, { siteId: 'site', principal: caller, ip })).toEqual(quotas);
  });

  it('counts the caller that its streams count for first', () => {
    for (const caller of [null, principal]) {
      const [{ subject }] = quotasOf(anonymous, { siteId: 'site', principal: caller, ip });
      expect(subject).toBe(callerKey('site', caller, ip));
    }
  });
});
