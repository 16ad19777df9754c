import { subscriptionNews } from './subscription-news.policy.js';

it.each([
  ['active', 'active'],
  ['past_due', 'past_due'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
  ['pending', null],
] as const)('notifies of a subscription that is %s with the change %p', (state, change) => {
  expect(subscriptionNews(state)).toBe(change);
});
