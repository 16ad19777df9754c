import { NEWS_DAYS, isNews } from './kinds.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const DAY = 24 * 3_600_000;
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

it.each([
  ['what happens now', ago(0), true],
  ['what comes from a clock that is ahead', ago(-60_000), true],
  ['what happened three days ago', ago(NEWS_DAYS * DAY), true],
  ['what happened a moment earlier', ago(NEWS_DAYS * DAY + 1), false],
  ['what never happened', null, false],
])('%s is news: %s', (_what, at, news) => {
  expect(isNews(at, NOW)).toBe(news);
});
