import { ratioOfMedians } from './in-turn.ts';

/** Requests whose durations the test chooses, on a clock of their own. */
function clocked() {
  let time = 0;
  const order: string[] = [];
  const taking = (name: string, duration: (n: number) => number) => (n: number) => {
    order.push(`${name}${n}`);
    time += duration(n);
    return Promise.resolve();
  };
  return { now: () => time, order, taking };
}

describe('the ratio of two kinds of requests', () => {
  it('divides the median of the one by the median of the other', async () => {
    const { now, taking } = clocked();
    const one = taking('one', (n) => (n % 5 === 0 ? 1_000 : 6));
    const other = taking('other', () => 4);
    await expect(ratioOfMedians(10, [one, other], now)).resolves.toBe(1.5);
  });

  it('leaves out the warm-up requests', async () => {
    const { now, taking } = clocked();
    const one = taking('one', (n) => (n < 2 ? 1_000_000 : 3));
    const other = taking('other', () => 1);
    await expect(ratioOfMedians(10, [one, other], now)).resolves.toBe(3);
    await expect(ratioOfMedians(1, [taking('one', () => 5), other], now)).resolves.toBe(5);
  });

  it('sends the requests in turn', async () => {
    const { now, order, taking } = clocked();
    await ratioOfMedians(2, [taking('a', () => 1), taking('b', () => 1)], now);
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1']);
  });
});
