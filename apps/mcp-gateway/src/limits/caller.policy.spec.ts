import type { Principal } from '@lyceum/contracts';
import { counterOf, countersOf, refusedTokensOf } from './caller.policy.js';

const principal = { person_id: 'ada', client_id: 'reader' } as Principal;

describe('countersOf', () => {
  it.each([
    [null, ['anonymous:site:2001:db8:1:2::/64']],
    [principal, ['client:site:ada:reader', 'person:site:ada']],
  ])('maps %j to %j', (caller, keys) => {
    expect(countersOf('site', caller, '2001:db8:1:2::7').map(({ key }) => key)).toEqual(keys);
  });

  it('restores counters from their keys, and rejects other keys', () => {
    const counters = [
      ...countersOf('site', null, '192.0.2.7'),
      ...countersOf('site', principal, ''),
      refusedTokensOf('::1'),
    ];
    expect(counters.map(({ key }) => counterOf(key))).toEqual(counters);
    expect(counterOf('a:site:192.0.2.7')).toBeUndefined();
  });
});
