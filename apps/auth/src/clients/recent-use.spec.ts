import { REMEMBERED_CLIENTS, RecentUse } from './recent-use.js';

const HOUR = 3_600_000;

describe('RecentUse', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('remembers the use of a client for an hour', () => {
    const use = new RecentUse();
    expect(use.isNoted('a')).toBe(false);
    use.note('a');
    jest.advanceTimersByTime(HOUR - 1);
    expect(use.isNoted('a')).toBe(true);
    expect(use.isNoted('b')).toBe(false);
    jest.advanceTimersByTime(1);
    expect(use.isNoted('a')).toBe(false);
  });

  it('forgets a client whose use was not stored', () => {
    const use = new RecentUse();
    use.note('a');
    use.note('b');
    use.forget('a');
    expect([use.isNoted('a'), use.isNoted('b')]).toEqual([false, true]);
  });

  it('forgets all clients when their number exceeds the limit', () => {
    const use = new RecentUse();
    for (let n = 0; n < REMEMBERED_CLIENTS; n += 1) use.note(`client-${n}`);
    expect(use.isNoted('client-0')).toBe(true);
    use.note('one more');
    expect(use.isNoted('client-0')).toBe(false);
    expect(use.isNoted('one more')).toBe(true);
  });
});
