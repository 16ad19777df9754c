import { Places } from './places.js';

const { signal } = new AbortController();
const SOON_MS = 20;
const LONG_MS = 60_000;

describe('Places', () => {
  it('refuses a request for which no place becomes free in time', async () => {
    const places = new Places(2, SOON_MS);
    expect([await places.take(signal), await places.take(signal), await places.take(signal)]).toEqual([
      true,
      true,
      false,
    ]);
    places.leave();
    expect([await places.take(signal), await places.take(signal)]).toEqual([true, false]);
  });

  it('gives a place to the request that has waited longest', async () => {
    const places = new Places(1, LONG_MS);
    await places.take(signal);
    const order: number[] = [];
    const waiting = [1, 2].map((number) => places.take(signal).then((taken) => taken && order.push(number)));
    places.leave();
    await waiting[0];
    expect(order).toEqual([1]);
    places.leave();
    await waiting[1];
    expect(order).toEqual([1, 2]);
  });

  it('gives no place to a request that has ended', async () => {
    const places = new Places(1, LONG_MS);
    await places.take(signal);
    const ended = new AbortController();
    const waiting = places.take(ended.signal);
    ended.abort();
    expect([await waiting, await places.take(ended.signal)]).toEqual([false, false]);
    places.leave();
    expect(await places.take(signal)).toBe(true);
  });
});
