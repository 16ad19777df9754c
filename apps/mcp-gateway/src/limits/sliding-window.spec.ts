import { SlidingWindow } from './sliding-window.js';

const MINUTE = 60_000;

describe('a sliding window', () => {
  let now = 0;
  let window: SlidingWindow;

  beforeEach(() => {
    now = 100 * MINUTE;
    window = new SlidingWindow(MINUTE, () => now);
  });

  it('counts each key for itself', () => {
    window.add('a', 1);
    window.add('a', 2);
    expect(window.count('a')).toBe(3);
    expect(window.count('b')).toBe(0);
  });

  it('forgets the minute before little by little', () => {
    window.add('a', 60);
    now += MINUTE;
    expect(window.count('a')).toBe(60);
    now += MINUTE / 4;
    expect(window.count('a')).toBe(45);
    now += MINUTE / 2;
    expect(window.count('a')).toBe(15);
  });

  it('knows nothing of what is two minutes old', () => {
    window.add('a', 60);
    now += 2 * MINUTE;
    expect(window.count('a')).toBe(0);
  });

  it('does not let twice the limit through at the edge of a minute', () => {
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
  ])('says when there is room again: %j', ({ before, offset, count }) => {
    window.add('a', before);
    now += MINUTE + offset;
    window.add('a', count);
    const wait = window.secondsUntil('a', 59);
    now += (wait - 1) * 1_000;
    if (wait > 1) expect(window.count('a')).toBeGreaterThan(59);
    now += 1_000;
    expect(window.count('a')).toBeLessThanOrEqual(59);
  });

  it('keeps a bounded number of keys', () => {
    for (let i = 0; i < 50_010; i += 1) window.add(`k${i}`, 1);
    expect(window.count('k0')).toBe(0);
    expect(window.count('k50009')).toBe(1);
  });
});
