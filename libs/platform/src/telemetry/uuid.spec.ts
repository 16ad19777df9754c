import { uuidv7 } from './uuid.js';

describe('uuidv7', () => {
  it('returns a UUID of version 7 and variant 10 (RFC 9562 §5.7)', () => {
    for (let count = 0; count < 1_000; count += 1) {
      expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('starts with the current milliseconds', () => {
    const before = Date.now();
    const time = Number.parseInt(uuidv7().replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now() + 100);
  });

  it('sorts in creation order, even when the counter of a millisecond overflows', () => {
    jest.useFakeTimers({ now: Date.now() + 60_000 });
    const ids = Array.from({ length: 10_000 }, uuidv7);
    jest.useRealTimers();
    ids.push(uuidv7());
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set([36]));
  });
});
