import { previousOf, rangeOf } from './periods.policy.js';
import type { AskedRange, Range } from './periods.policy.js';

const NOW = new Date('2026-11-20T18:30:00Z');
const range = (asked: Partial<AskedRange>, timezone = 'UTC'): Range =>
  rangeOf({ granularity: 'day', ...asked }, timezone, NOW, (parameter) => ({ parameter }));
const spans = ({ periods }: Range): string[] => periods.map(({ from, to }) => `${from}…${to}`);

it.each([
  ['30 days up to today', {}, 'UTC', '2026-10-22', '2026-11-20'],
  ['today of the time zone', {}, 'Asia/Taipei', '2026-10-23', '2026-11-21'],
  ['30 days up to a day', { to: '2026-03-01' }, 'UTC', '2026-01-31', '2026-03-01'],
  ['from a day to today', { from: '2026-11-01' }, 'UTC', '2026-11-01', '2026-11-20'],
  ['a later day alone', { from: '2026-12-01' }, 'UTC', '2026-12-01', '2026-12-01'],
])('takes %s', (_name, asked, timezone, from, to) => {
  expect(range(asked, timezone)).toMatchObject({ from, to });
});

it.each([
  ['day', ['2026-05-31…2026-05-31', '2026-06-01…2026-06-01']],
  ['week', ['2026-05-31…2026-05-31', '2026-06-01…2026-06-01']],
  ['month', ['2026-05-31…2026-05-31', '2026-06-01…2026-06-01']],
] as const)('begins another %s after Sunday, May 31', (granularity, expected) => {
  expect(spans(range({ from: '2026-05-31', to: '2026-06-01', granularity }))).toEqual(expected);
});

it('cuts the first and the last period', () => {
  const asked = { from: '2026-01-30', to: '2026-02-10' } as const;
  expect(spans(range({ ...asked, granularity: 'week' }))).toEqual([
    '2026-01-30…2026-02-01',
    '2026-02-02…2026-02-08',
    '2026-02-09…2026-02-10',
  ]);
  const months = range({ ...asked, granularity: 'month' });
  expect(spans(months)).toEqual(['2026-01-30…2026-01-31', '2026-02-01…2026-02-10']);
  expect(months.months).toEqual(['2026-01', '2026-02']);
  expect(months.monthEdges.map((edge) => edge.toISOString().slice(0, 10))).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ]);
});

it.each([
  ['with a quarter of an hour', 'Asia/Katmandu', '2026-11-20', ['2026-11-19T18:15', '2026-11-20T18:15']],
  ['of 23 hours', 'America/New_York', '2026-03-08', ['2026-03-08T05:00', '2026-03-09T04:00']],
  ['of 25 hours', 'America/New_York', '2026-11-01', ['2026-11-01T04:00', '2026-11-02T05:00']],
  ['without a midnight', 'Africa/Cairo', '2026-04-24', ['2026-04-23T22:00', '2026-04-24T21:00']],
])('finds the instants of a day %s', (_name, timezone, day, expected) => {
  const { edges } = range({ from: day, to: day }, timezone);
  expect(edges.map((edge) => edge.toISOString().slice(0, 16))).toEqual(expected);
});

it('accepts 1 to 366 days', () => {
  expect(range({ from: '2026-01-01', to: '2026-01-01' }).periods).toHaveLength(1);
  expect(range({ from: '2024-01-01', to: '2024-12-31' }).periods).toHaveLength(366);
  const refused = (code: string): unknown =>
    expect.objectContaining({
      code: 'invalid_request',
      errors: [expect.objectContaining({ parameter: 'to', code })],
    });
  expect(() => range({ from: '2026-01-02', to: '2026-01-01' })).toThrow(refused('too_small') as Error);
  expect(() => range({ from: '2024-01-01', to: '2025-01-01' })).toThrow(refused('too_large') as Error);
});

it.each([
  ['a month', 'UTC', '2026-11-01', '2026-11-30', '2026-10-02', '2026-10-31', ['2026-10-02T00:00', '2026-11-01T00:00']],
  ['one day', 'UTC', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28', ['2026-02-28T00:00', '2026-03-01T00:00']],
  [
    'days after a change to summer time',
    'America/New_York',
    '2026-03-09',
    '2026-03-10',
    '2026-03-07',
    '2026-03-08',
    ['2026-03-07T05:00', '2026-03-09T04:00'],
  ],
  [
    'days after a change to winter time',
    'America/New_York',
    '2026-11-02',
    '2026-11-03',
    '2026-10-31',
    '2026-11-01',
    ['2026-10-31T04:00', '2026-11-02T05:00'],
  ],
])('puts as many days before %s', (_name, timezone, from, to, first, last, expected) => {
  const asked = range({ from, to }, timezone);
  const previous = previousOf(asked);
  expect(previous).toMatchObject({ from: first, to: last });
  expect(previous.edges.map((edge) => edge.toISOString().slice(0, 16))).toEqual(expected);
  expect(previous.edges.at(-1)).toEqual(asked.edges[0]);
});
