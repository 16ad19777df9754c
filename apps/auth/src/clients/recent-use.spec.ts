import { REMEMBERED_CLIENTS, RecentUse } from './recent-use.js';

const HOUR = 3_600_000;

describe('the use of a client', () => {
  it('is noted for an hour, and for that client only', () => {
    let now = 0;
    const use = new RecentUse(() => now);
    expect(use.isNoted('a')).toBe(false);
    use.note('a');
    now = HOUR - 1;
    expect(use.isNoted('a')).toBe(true);
    expect(use.isNoted('b')).toBe(false);
    now = HOUR;
    expect(use.isNoted('a')).toBe(false);
  });

  it('is forgotten, not kept without bound, when there are too many clients', () => {
    const use = new RecentUse(() => 0);
    for (let n = 0; n < REMEMBERED_CLIENTS; n += 1) use.note(`client-${n}`);
    expect(use.isNoted('client-0')).toBe(true);
    use.note('one more');
    expect(use.isNoted('client-0')).toBe(false);
    expect(use.isNoted('one more')).toBe(true);
  });
});
