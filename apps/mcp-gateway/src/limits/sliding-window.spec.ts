import { SlidingWindow } from './sliding-window.js';

const MINUTE = 60_000;

describe('SlidingWindow', () => {
  let now = 0;
  let window: SlidingWindow;

  beforeEach(() => {
    now = 100 * MINUTE;
    window = new SlidingWindow(MINUTE, () => now);
  });

  it('counts each key separately', () => {
    window.add('a', 1);
    window.add('a', 2);
    expect(window.count('a')).toBe(3);
    expect(window.count('b')).toBe(0);
  });

  it('reduces the previous minute gradually', () => {
    window.add('a', 60);
    now += MINUTE;
    expect(window.count('a')).toBe(60);
    now += MINUTE / 4;
    expect(window.count('a')).toBe(45);
    now += MINUTE / 2;
    expect(window.count('a')).toBe(15);
  });

  it('ignores counts older than two minutes', () => {
    window.add('a', 60);
    now += 2 * MINUTE;
    expect(window.count('a')).toBe(0);
  });

  it('does not allow twice the limit around a minute boundary', () => {
    now += MINUTE - 1;
    window.add('a', 60);
    now += 1;
    expect(window.count('a')).toBe(60);
  });

  it.each([
    { before: 0, offset: 0, count: 60 },
    { before: 0, offset: 30_000, count: 60 },
    { before: 0, offset: 59_000, count: 61 },
    { before: 60, offset: 1_000, count: 5 },
    { before: 60, offset: 59_000, count: 58 },
    { before: 100, offset: 30_000, count: 60 },
  ])('returns the time until the next slot: %j', ({ before, offset, count }) => {
    window.add('a', before);
    now += MINUTE + offset;
    window.add('a', count);
    const wait = window.secondsUntil('a', 59);
    now += (wait - 1) * 1_000;
    if (wait > 1) expect(window.count('a')).toBeGreaterThan(59);
    now += 1_000;
    expect(window.count('a')).toBeLessThanOrEqual(59);
  });

  it('limits the number of keys', () => {
    for (let i = 0; i < 50_010; i += 1) window.add(`k${i}`, 1);
    expect(window.count('k0')).toBe(0);
    expect(window.count('k50009')).toBe(1);
  });
});
