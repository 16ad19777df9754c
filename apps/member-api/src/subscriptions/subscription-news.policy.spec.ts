import { subscriptionNews } from './subscription-news.policy.js';

it.each([
  ['active', 'Your membership Crew is active'],
  ['past_due', 'Your membership Crew needs attention'],
  ['canceled', 'Your membership Crew is canceled'],
  ['expired', 'Your membership Crew has ended'],
  ['pending', undefined],
] as const)('a subscription that is %s says: %p', (state, title) => {
  expect(subscriptionNews(state, 'Crew')?.title).toBe(title);
});
