import { accessOf, firstStartOf, isSameAccess } from './access.policy.js';
import { day, grant, on } from '../../test/grants.js';

type Times = readonly [from: number, until: number | null, revoked?: number];

describe('the access on day 10', () => {
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
  ])('sums up %s', (_name, times, state, started, expires, changes) => {
    const grants = times.map(([from, until, revoked]) => grant(from, until, revoked === undefined ? {} : { revoked }));
    expect(accessOf(grants, on(10))).toEqual({
      state,
      started_at: on(started),
      expires_at: day(expires),
      changes_at: day(changes),
    });
  });

  it('announces each change in the sum before it', () => {
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

it('compares the state, the beginning and the end of access', () => {
  const access = accessOf([grant(1, 20)], on(10));
  expect(isSameAccess(access, { ...access, started_at: on(1) })).toBe(true);
  expect(isSameAccess(access, { ...access, state: 'expired' })).toBe(false);
  expect(isSameAccess(access, { ...access, expires_at: null })).toBe(false);
  expect(isSameAccess(access, { ...access, started_at: on(2) })).toBe(false);
});

describe('the first start', () => {
  it.each<[string, Times[], number]>([
    ['of one grant', [[12, 20]], 12],
    [
      'before a gap',
      [
        [1, 3],
        [5, 20],
      ],
      1,
    ],
    [
      'before a revocation',
      [
        [5, 20],
        [1, null, 3],
      ],
      1,
    ],
    [
      'of access and not of a grant that was revoked before it began',
      [
        [4, null, 2],
        [5, 20],
      ],
      5,
    ],
    ['of a grant that lasts for no time', [[5, 5]], 5],
  ])('is the beginning %s', (_name, times, first) => {
    const grants = times.map(([from, until, revoked]) => grant(from, until, revoked === undefined ? {} : { revoked }));
    expect(firstStartOf(grants)).toEqual(on(first));
  });
});
