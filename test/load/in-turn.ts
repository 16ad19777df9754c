import { quantile } from './ratio.ts';

type Send = (n: number) => Promise<unknown>;

/** The share of unmeasured requests that warm up both servers. */
const WARM_UP = 0.2;

/**
 * The median time of one kind of request ÷ that of another. They run in turn, so other load of the machine slows both
 * down alike.
 *
 * @param now milliseconds of a clock that never goes back
 */
export async function ratioOfMedians(
  times: number,
  [one, other]: readonly [Send, Send],
  now: () => number = () => performance.now(),
): Promise<number> {
  const durations: [number[], number[]] = [[], []];
  const warmUp = Math.floor(times * WARM_UP);
  for (let n = 0; n < warmUp + times; n++) {
    for (const [index, send] of [one, other].entries()) {
      const began = now();
      await send(n);
      if (n >= warmUp) durations[index]!.push(now() - began);
    }
  }
  const [of, to] = durations.map((values) =>
    quantile(
      values.sort((a, b) => a - b),
      0.5,
    ),
  ) as [number, number];
  return of / to;
}
