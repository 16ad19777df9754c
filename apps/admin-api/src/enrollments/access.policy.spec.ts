import {
  accessOf,
  endingAt,
  enrollmentSourceOf,
  isByHand,
  isSameAccess,
  isStanding,
  withSource,
  withoutAccess,
  withoutSource,
} from './access.policy.js';
import type { Grant } from './access.policy.js';

/** Days of one month; null: never. */
const day = (number: number | null): Date | null =>
  number === null ? null : new Date(`2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`);
const on = (number: number): Date => day(number) ?? new Date(Number.NaN);

let counter = 0;
function grant(
  from: number,
  until: number | null,
  more: Partial<Omit<Grant, 'revoked_at'>> & { revoked?: number } = {},
) {
  const { revoked = null, ...rest } = more;
  const times = { starts_at: on(from), ends_at: day(until), revoked_at: day(revoked) };
  return { id: `g${++counter}`, source: 'manual', source_id: null, ...times, ...rest } as Grant;
}
const order = (from: number, until: number | null, more: { revoked?: number; source_id?: string } = {}): Grant =>
  grant(from, until, { source: 'order', source_id: 'o1', ...more });

type Times = readonly [from: number, until: number | null, revoked?: number];

describe('the sum of grants on day 10', () => {
  it.each<[string, Times[], string, number, number | null, number | null]>([
    ['one that ends', [[1, 20]], 'active', 1, 20, 20],
    ['one for life', [[1, null]], 'active', 1, null, null],
    ['one that begins now', [[10, 20]], 'active', 10, 20, 20],
    ['one that ends now', [[1, 10]], 'expired', 1, 10, null],
    ['one that is over', [[1, 5]], 'expired', 1, 5, null],
    ['one that begins later', [[12, 20]], 'pending', 12, 20, 12],
    ['one that begins later, for life', [[12, null]], 'pending', 12, null, 12],
    ['a revoked one', [[1, 20, 5]], 'revoked', 1, 5, null],
    ['a revoked one for life', [[1, null, 5]], 'revoked', 1, 5, null],
    ['one that is revoked now', [[1, null, 10]], 'revoked', 1, 10, null],
    ['one that was revoked after its end', [[1, 5, 8]], 'expired', 1, 5, null],
    ['one that was revoked at its end', [[1, 5, 5]], 'revoked', 1, 5, null],
    ['one that was revoked before it began', [[12, 20, 5]], 'revoked', 5, 5, null],
    [
      'two that were revoked before they began',
      [
        [12, 20, 5],
        [14, 20, 7],
      ],
      'revoked',
      7,
      7,
      null,
    ],
    ['one that lasts for no time', [[5, 5]], 'expired', 5, 5, null],
    [
      'two that overlap',
      [
        [1, 12],
        [8, 20],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'two that overlap, in the other order',
      [
        [8, 20],
        [1, 12],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'one within another',
      [
        [1, 20],
        [5, 12],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'two that touch',
      [
        [1, 12],
        [12, 20],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'two that touch now',
      [
        [1, 10],
        [10, 20],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'one that ends and one for life',
      [
        [1, 20],
        [5, null],
      ],
      'active',
      1,
      null,
      null,
    ],
    [
      'two for life',
      [
        [1, null],
        [5, null],
      ],
      'active',
      1,
      null,
      null,
    ],
    [
      'a gap later',
      [
        [1, 12],
        [15, 20],
      ],
      'active',
      1,
      12,
      12,
    ],
    [
      'a gap now',
      [
        [1, 5],
        [15, 20],
      ],
      'expired',
      1,
      5,
      15,
    ],
    [
      'a gap before',
      [
        [1, 3],
        [5, 20],
      ],
      'active',
      5,
      20,
      20,
    ],
    [
      'a gap after a revocation',
      [
        [1, 20, 5],
        [15, 20],
      ],
      'revoked',
      1,
      5,
      15,
    ],
    [
      'a gap to come, before the first',
      [
        [12, 14],
        [16, 20],
      ],
      'pending',
      12,
      14,
      12,
    ],
    [
      'a revoked one beside one that stands',
      [
        [1, null, 5],
        [3, 20],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'one that stands beside one that was revoked before it began',
      [
        [1, 20],
        [12, null, 5],
      ],
      'active',
      1,
      20,
      20,
    ],
    [
      'one that expired after one was revoked',
      [
        [1, 20, 3],
        [1, 5],
      ],
      'expired',
      1,
      5,
      null,
    ],
    [
      'one that was revoked after one expired',
      [
        [1, 3],
        [1, 20, 5],
      ],
      'revoked',
      1,
      5,
      null,
    ],
    [
      'one that was revoked when another expired',
      [
        [1, 5],
        [1, 20, 5],
      ],
      'revoked',
      1,
      5,
      null,
    ],
    [
      'one that was revoked when another expired, in the other order',
      [
        [1, 20, 5],
        [1, 5],
      ],
      'revoked',
      1,
      5,
      null,
    ],
  ])('%s', (_name, times, state, started, expires, changes) => {
    const grants = times.map(([from, until, revoked]) => grant(from, until, revoked === undefined ? {} : { revoked }));
    expect(accessOf(grants, on(10))).toEqual({
      state,
      started_at: on(started),
      expires_at: day(expires),
      changes_at: day(changes),
    });
  });

  it('follows the hours: each change is announced by the sum before it', () => {
    const grants = [grant(2, 4), grant(6, 8), grant(8, 9)];
    const states: [number, string][] = [];
    for (let now: Date | null = on(1); now !== null;) {
      const { state, changes_at } = accessOf(grants, now);
      states.push([now.getUTCDate(), state]);
      now = changes_at;
    }
    expect(states).toEqual([
      [1, 'pending'],
      [2, 'active'],
      [4, 'expired'],
      [6, 'active'],
      [9, 'expired'],
    ]);
  });
});

it.each<[number, number | null, number | undefined, boolean]>([
  [1, 11, undefined, true],
  [1, 10, undefined, false],
  [1, null, undefined, true],
  [12, 20, undefined, true],
  [1, null, 5, false],
])('a grant from %s until %s, revoked %s, stands: %s', (from, until, revoked, stands) => {
  expect(isStanding(grant(from, until, revoked === undefined ? {} : { revoked }), on(10))).toBe(stands);
});

it.each([
  [{}, true],
  [{ source: 'import' as const }, true],
  [{ source: 'import' as const, source_id: 'i1' }, false],
  [{ source: 'order' as const }, false],
])('a grant with %j is given by hand: %s', (more, byHand) => {
  expect(isByHand(grant(1, null, more))).toBe(byHand);
});

describe('taking access away', () => {
  it('revokes what stands, and leaves what is over', () => {
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

  it('of one source leaves the access of the others', () => {
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

  it('is added once, and a renewal moves its end', () => {
    const manual = grant(1, 5);
    const added = withSource([manual], given(1, 20));
    expect(added).toEqual([manual, given(1, 20)]);
    expect(withSource(added, given(1, 20))).toBe(added);
    expect(withSource(added, given(1, 25))).toEqual([manual, given(1, 25)]);
    expect(withSource(added, given(1, null))).toEqual([manual, given(1, null)]);
    expect(withSource(added, { ...given(1, 25), source_id: 'o2' })).toHaveLength(3);
    expect(withSource(added, { ...given(1, 25), source: 'membership' })).toHaveLength(3);
  });

  it('stays revoked when the source repeats itself late', () => {
    const revoked = [order(1, 20, { revoked: 5 })];
    expect(withSource(revoked, given(1, 30))).toBe(revoked);
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
  ])('is no change: %s', (_name, grants, until) => {
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
  ])('is what it says: %s', (_name, grants, until, count) => {
    const { after, access } = end(grants, until);
    expect(access.expires_at).toEqual(day(until));
    expect(['active', 'pending']).toContain(access.state);
    expect(after).toHaveLength(count);
    // Nothing lasts longer, whenever it begins.
    const last = after.filter((one) => isStanding(one, now)).map(({ ends_at }) => ends_at?.getTime() ?? Infinity);
    expect(Math.max(...last)).toBe(day(until)?.getTime() ?? Infinity);
  });

  it('leaves the order as it is when access lasts longer by hand', () => {
    const bought = order(1, 20);
    expect(end([bought], 25).after[0]).toBe(bought);
  });

  it('keeps the beginning of an enrollment that begins later', () => {
    expect(end([order(12, 20)], 25).access).toMatchObject({ state: 'pending', started_at: on(12) });
  });
});

it('knows when nothing is to be announced', () => {
  const access = accessOf([grant(1, 20)], on(10));
  expect(isSameAccess(access, { ...access, started_at: on(1) })).toBe(true);
  expect(isSameAccess(access, { ...access, state: 'expired' })).toBe(false);
  expect(isSameAccess(access, { ...access, expires_at: null })).toBe(false);
  expect(isSameAccess(access, { ...access, started_at: on(2) })).toBe(false);
});

it.each([
  ['order', 'purchase'],
  ['subscription', 'purchase'],
  ['membership', 'membership'],
  ['manual', 'manual'],
  ['import', 'import'],
] as const)('a grant of the source %s opens an enrollment of the source %s', (source, expected) => {
  expect(enrollmentSourceOf(source)).toBe(expected);
});
