import { auditFilter, filterQuery, idRange } from './audit-filter.policy.js';

const NONE = { person: '', client: '', event: '', from: '', to: '' };

it('reads the filters of a query', () => {
  const query = {
    person: ' A@b.example ',
    client: 'Notes',
    event: 'sign_in.failed',
    from: '2026-01-31',
    to: '2026-02-01',
  };
  expect(auditFilter(query)).toEqual({ ...query, person: 'a@b.example' });
  expect(filterQuery(auditFilter(query), { before: 'x' })).toBe(
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
  [{ from: '2026-13-01', to: "2026-01-01' or 1=1" }],
  [{ from: '26-01-01', to: 'today' }],
])('ignores filters that cannot be ones: %j', (query) => {
  expect(auditFilter(query)).toEqual(NONE);
  expect(filterQuery(auditFilter(query))).toBe('');
});

it('includes the first and the last day', () => {
  const { first, last } = idRange({ ...NONE, from: '2026-01-31', to: '2026-01-31' });
  const idOf = (instant: string): string => {
    const time = Date.parse(instant).toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
  };
  const isWithin = (instant: string): boolean => idOf(instant) >= first && idOf(instant) < last;
  expect(isWithin('2026-01-30T23:59:59.999Z')).toBe(false);
  expect(isWithin('2026-01-31T00:00:00.000Z')).toBe(true);
  expect(isWithin('2026-01-31T23:59:59.999Z')).toBe(true);
  expect(isWithin('2026-02-01T00:00:00.000Z')).toBe(false);
});
