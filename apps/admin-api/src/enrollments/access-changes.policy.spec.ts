import {
  accessOf,
  continued,
  endingAt,
  endingSource,
  enrollmentSourceOf,
  expiredAt,
  isByHand,
  isStanding,
  laterBy,
  withSource,
  withoutAccess,
  withoutSource,
} from './access.policy.js';
import type { Grant } from './access.policy.js';
import { day, grant, on, order } from '../../test/grants.js';

it.each<[number, number | null, number | undefined, boolean]>([
  [1, 11, undefined, true],
  [1, 10, undefined, false],
  [1, null, undefined, true],
  [12, 20, undefined, true],
  [1, null, 5, false],
])(
  'decides whether a grant from day %s until day %s, revoked on day %s, stands: %s',
  (from, until, revoked, stands) => {
    expect(isStanding(grant(from, until, revoked === undefined ? {} : { revoked }), on(10))).toBe(stands);
  },
);

it.each([
  [{}, true],
  [{ source: 'import' as const }, true],
  [{ source: 'import' as const, source_id: 'i1' }, false],
  [{ source: 'order' as const }, false],
])('decides whether an operator gave a grant with %j: %s', (more, byHand) => {
  expect(isByHand(grant(1, null, more))).toBe(byHand);
});

describe('a revocation', () => {
  it('revokes standing grants and keeps those that are over', () => {
    const [over, revoked, standing, coming] = [
      grant(1, 5),
      grant(1, 20, { revoked: 5 }),
      order(1, null),
      grant(12, 20),
    ];
    const now = on(10);
    const after = withoutAccess([over, revoked, standing, coming], now);
    expect(after).toEqual([over, revoked, { ...standing, revoked_at: now }, { ...coming, revoked_at: now }]);
    expect(after[0]).toBe(over);
    expect(accessOf(after, now)).toMatchObject({ state: 'revoked', changes_at: null });
  });

  it('revokes the grants of one source and keeps those of the others', () => {
    const now = on(10);
    const grants = [
      order(1, null),
      order(1, null, { source_id: 'o2' }),
      grant(5, 20),
      grant(1, null, { source: 'order' }),
    ];
    const after = withoutSource(grants, { source: 'order', source_id: 'o1' }, now);
    expect(after).toEqual([{ ...grants[0], revoked_at: now }, ...grants.slice(1)]);
    expect(withoutSource(after, { source: 'order', source_id: 'o1' }, on(12))).toEqual(after);
    const both = [order(1, null), grant(5, 20)];
    expect(accessOf(withoutSource(both, { source: 'order', source_id: 'o1' }, now), now)).toMatchObject({
      state: 'active',
      started_at: on(1),
      expires_at: on(20),
    });
  });
});

describe('the grant of a source', () => {
  const given = (from: number, until: number | null): Grant => ({ ...order(from, until), id: null });

  it('adds the grant of a source once, and moves its end by a renewal', () => {
    const manual = grant(1, 5);
    const added = withSource([manual], given(1, 20));
    expect(added).toEqual([manual, given(1, 20)]);
    expect(withSource(added, given(1, 20))).toBe(added);
    expect(withSource(added, given(1, 25))).toEqual([manual, given(1, 25)]);
    expect(withSource(added, given(1, null))).toEqual([manual, given(1, null)]);
    expect(withSource(added, { ...given(1, 25), source_id: 'o2' })).toHaveLength(3);
    expect(withSource(added, { ...given(1, 25), source: 'membership' })).toHaveLength(3);
  });

  it('keeps a grant revoked when its source repeats it late', () => {
    const revoked = [order(1, 20, { revoked: 5 })];
    expect(withSource(revoked, given(1, 30))).toBe(revoked);
  });
});

describe('the grant of a source that nothing has renewed', () => {
  it.each([
    ['follows the end of its source', 20, 20, 15, 15],
    ['follows a later end', 20, 20, 25, 25],
    ['ends no later than an operator let it', 10, 20, 15, 10],
    ['ends no later than an operator let it, also when its source ends later', 10, 20, 25, 10],
    ['ends with its source before an operator let it', 18, 20, 15, 15],
    ['ends as an operator let it, when its source has no end', 10, null, null, 10],
  ])('%s', (_what, known, former, next, end) => {
    const after = continued([order(1, known)], order(1, next), former === null ? null : on(former));
    expect(after.map(({ ends_at }) => ends_at)).toEqual([end === null ? null : on(end)]);
  });

  it('begins in a course that is new', () => {
    const given = order(1, 20);
    expect(continued([], given, on(20))).toEqual([given]);
  });
});

describe('another end', () => {
  const now = on(10);
  const end = (grants: readonly Grant[], until: number | null) => {
    const after = endingAt(grants, day(until), now);
    return { after, access: accessOf(after, now) };
  };

  it.each<[string, Grant[], number | null]>([
    ['the end that it has', [grant(1, 20)], 20],
    ['life that it has', [order(1, null)], null],
    ['the end that two have together', [grant(1, 12), order(8, 20)], 20],
  ])('changes no grant for %s', (_name, grants, until) => {
    const { after } = end(grants, until);
    expect(after.every((one, index) => one === grants[index])).toBe(true);
  });

  it.each<[string, Grant[], number | null, number]>([
    ['later, by hand', [grant(1, 20)], 25, 1],
    ['earlier, by hand', [grant(1, 20)], 15, 1],
    ['for life, by hand', [grant(1, 20)], null, 1],
    ['later than an order', [order(1, 20)], 25, 2],
    ['earlier than an order', [order(1, 20)], 15, 1],
    ['earlier than an order for life', [order(1, null)], 15, 1],
    ['for life beside an order', [order(1, 20)], null, 2],
    ['after it had expired', [grant(1, 5)], 20, 2],
    ['after it was revoked', [grant(1, null, { revoked: 5 })], null, 2],
    ['later, across a gap to come', [order(1, 12), grant(15, 20)], 25, 3],
    ['within a gap to come', [order(1, 12), grant(15, 20)], 14, 3],
    ['in a gap', [order(1, 5), grant(15, 20)], 25, 3],
    ['of one that begins later', [order(12, 20)], 25, 2],
    ['of one by hand that begins later', [grant(12, 20)], 14, 1],
  ])('ends access as requested: %s', (_name, grants, until, count) => {
    const { after, access } = end(grants, until);
    expect(access.expires_at).toEqual(day(until));
    expect(['active', 'pending']).toContain(access.state);
    expect(after).toHaveLength(count);
    // No grant lasts longer.
    const last = after.filter((one) => isStanding(one, now)).map(({ ends_at }) => ends_at?.getTime() ?? Infinity);
    expect(Math.max(...last)).toBe(day(until)?.getTime() ?? Infinity);
  });

  it('keeps the grant of an order when an operator extends the access', () => {
    const bought = order(1, 20);
    expect(end([bought], 25).after[0]).toBe(bought);
  });

  it('keeps the beginning of an enrollment that begins later', () => {
    expect(end([order(12, 20)], 25).access).toMatchObject({ state: 'pending', started_at: on(12) });
  });
});

it.each([
  ['order', 'purchase'],
  ['subscription', 'purchase'],
  ['membership', 'membership'],
  ['manual', 'manual'],
  ['import', 'import'],
] as const)('maps the source %s of a grant to the source %s of its enrollment', (source, expected) => {
  expect(enrollmentSourceOf(source)).toBe(expected);
});

it('expires standing grants now, and revokes those that have not begun', () => {
  const now = on(10);
  const [over, standing, forLife, coming] = [grant(1, 5), grant(1, 20), order(2, null), grant(12, 20)];
  const after = expiredAt([over, standing, forLife, coming], now);
  expect(after).toEqual([
    over,
    { ...standing, ends_at: now },
    { ...forLife, ends_at: now },
    { ...coming, revoked_at: now },
  ]);
  expect(accessOf(after, now)).toMatchObject({ state: 'expired', expires_at: now, changes_at: null });
});

it.each([
  ['active', on(12), on(15)],
  ['pending', on(12), on(15)],
  ['expired', on(5), on(13)],
  ['revoked', on(5), on(13)],
  ['active', null, null],
] as const)('adds three days to %s access until %s: until %s', (state, expires_at, later) => {
  expect(laterBy(3, { state, started_at: on(1), expires_at }, { now: on(10), time_zone: 'UTC' })).toEqual(later);
});

it.each([
  ['active', '2027-03-27T10:30:00.000Z', '2027-03-28T09:30:00.000Z'],
  ['expired', '2027-03-01T10:30:00.000Z', '2027-03-28T11:00:00.000Z'],
] as const)('adds a day to %s access until %s at the same local time: until %s', (state, until, later) => {
  const access = { state, started_at: on(1), expires_at: new Date(until) };
  const local = { now: new Date('2027-03-27T12:00:00.000Z'), time_zone: 'Europe/Berlin' };
  expect(laterBy(1, access, local)?.toISOString()).toBe(later);
});

it.each([
  [30, true],
  [31, false],
])('adds %p days to access until December 1 of the year 9999: %p', (days, accepted) => {
  const access = { state: 'active', started_at: on(1), expires_at: new Date('9999-12-01T00:00:00Z') } as const;
  const local = { now: on(10), time_zone: 'UTC' };
  if (accepted) expect(laterBy(days, access, local)).toEqual(new Date('9999-12-31T00:00:00Z'));
  else {
    expect(() => laterBy(days, access, local)).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ pointer: '/days' })] }),
    );
  }
});

it('ends the access of one source, which a later grant of the source gives again', () => {
  const given = order(1, 30);
  const [others, now] = [grant(1, 30), on(10)];
  const ended = endingSource([given, others], given, now);
  expect(ended).toEqual([{ ...given, ends_at: now }, others]);
  expect(endingSource(ended, given, on(11))).toEqual(ended);
  expect(withSource(ended, given)).toEqual([given, others]);
});
