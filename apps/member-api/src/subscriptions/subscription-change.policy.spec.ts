import { subscriptionChange } from './subscription-change.policy.js';

it.each([
  ['active', 'active'],
  ['past_due', 'past_due'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
  ['pending', null],
] as const)('notifies of a subscription that is %s with the change %p', (state, change) => {
  expect(subscriptionChange(state)).toBe(change);
});
