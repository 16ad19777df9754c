import { leaseOf } from './window.policy.js';

const NOW = 1_000_000;
const request = { needed: 1, limit: 80, windowSeconds: 60 };

describe('leaseOf', () => {
  it.each([
    ['begins a window', undefined, {}, 10, 10],
    ['leases an eighth of the rest', { startedAt: NOW - 1_000, spent: 40 }, {}, 5, 45],
    ['leases the needed units if they are more', { startedAt: NOW, spent: 40 }, { needed: 7 }, 7, 47],
    ['leases beyond the limit while a unit is left', { startedAt: NOW, spent: 79 }, { needed: 9 }, 9, 88],
    ['leases nothing at the limit', { startedAt: NOW, spent: 80 }, {}, 0, 80],
    ['keeps a window until its last millisecond', { startedAt: NOW - 59_999, spent: 80 }, {}, 0, 80],
    ['moves the beginning of a window that a clock ahead began', { startedAt: NOW + 600_000, spent: 80 }, {}, 0, 80],
    ['begins the next window at its end', { startedAt: NOW - 60_000, spent: 80 }, {}, 10, 10],
    ['lets the next window pay for the excess', { startedAt: NOW - 60_000, spent: 120 }, {}, 5, 45],
    ['lets each ended window pay once', { startedAt: NOW - 120_000, spent: 200 }, {}, 5, 45],
  ])('%s', (_what, known, more, granted, spent) => {
    const { window, lease } = leaseOf(known, { ...request, ...more }, NOW);
    const isNew = known === undefined || NOW - known.startedAt >= 60_000;
    const startedAt = isNew ? NOW : Math.min(known.startedAt, NOW);
    expect({ window, lease }).toEqual({
      window: { startedAt, spent },
      lease: { granted, spent, msLeft: startedAt + 60_000 - NOW },
    });
  });
});
