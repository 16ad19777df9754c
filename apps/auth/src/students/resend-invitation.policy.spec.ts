import { requireInvited } from './resend-invitation.policy.js';

it('accepts a member who has not signed in at the site', () => {
  expect(() => requireInvited('invited')).not.toThrow();
});

it.each(['active', 'suspended', 'removed'] as const)('refuses a member who is %s', (state) => {
  expect(() => requireInvited(state)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});
