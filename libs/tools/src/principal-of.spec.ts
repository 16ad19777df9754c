import type { Principal } from '@lyceum/contracts';
import { errorOr } from '@lyceum/errors';
import { principalOf } from './principal-of.js';

it('returns the principal of a call, and refuses an anonymous one with invalid_token', () => {
  const principal = { person_id: '1' } as Principal;
  expect(principalOf({ principal })).toBe(principal);
  expect(errorOr(() => principalOf({ principal: null }))).toMatchObject({ code: 'invalid_token' });
});
