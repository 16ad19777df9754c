import { auditFilter, filterQuery, idRange } from './audit-filter.policy.js';

const NONE = { person: '', client: '', event: '', from: '', to: '', timezone: 'UTC' };

it('reads the filters of a query', () => {
  const query = {
    person: ' A@b.example ',
    client: 'Notes',
    event: 'sign_in.failed',
    from: '2026-01-31',
    to: '2026-02-01',
  };
  expect(auditFilter(query, 'UTC')).toEqual({ ...query, person: 'a@b.example', timezone: 'UTC' });
  expect(filterQuery(auditFilter(query, 'UTC'), { before: 'x' })).toBe(
    'person=a%40b.example&client=Notes&event=sign_in.failed&from=2026-01-31&to=2026-02-01&before=x',
  );
});

it.each([
  [{}],
  [{ person: ['a@b.example', 'c@d.example'] }],
  [{ person: 'a\0b' }],
  [{ client: 'x'.repeat(513) }],
  [{ event: 'unknown' }],
  [{ event: 'constructor' }],
  [{ event: 'password.changed' }],
  [{ from: '2026-13-01', to: "2026-01-01' or 1=1" }],
  [{ from: '26-01-01', to: 'today' }],
])('ignores filters that cannot be ones: %j', (query) => {
  expect(auditFilter(query, 'UTC')).toEqual(NONE);
  expect(filterQuery(auditFilter(query, 'UTC'))).toBe('');
});

it.each([
  ['UTC', '2026-01-31', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['Asia/Taipei', '2026-01-31', '2026-01-30T16:00:00.000Z', '2026-01-31T16:00:00.000Z'],
  // A day of 25 hours, and one that begins at 01:00.
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
])('includes the whole day in %s', (timezone, day, begin, end) => {
  const { first, last } = idRange({ ...NONE, from: day, to: day, timezone });
  const isWithin = (instant: number): boolean => {
    const time = instant.toString(16).padStart(12, '0');
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
    return id >= first && id < last;
  };
  const [begins, ends] = [Date.parse(begin), Date.parse(end)];
  expect([begins - 1, begins, ends - 1, ends].map(isWithin)).toEqual([false, true, true, false]);
});
