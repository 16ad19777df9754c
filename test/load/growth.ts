import { expectedResponses } from './responses.ts';
import { exchange } from './exchange.ts';
import { type Conditions, firstRound, measureRound } from './measure.ts';
import { spread } from './ratio.ts';
import type { Contender } from './suite.ts';

/**
 * The slowdown of a response when much more is stored: the median of the rounds' p50 afterwards ÷ before.
 * The requests and their responses stay the same, because the added rows belong to others.
 */
export async function growthOfP50(
  contender: Contender,
  grow: () => Promise<void>,
  conditions: Conditions,
): Promise<number> {
  const before = await medianOfP50(contender, conditions);
  await grow();
  return (await medianOfP50(contender, conditions)) / before;
}

async function medianOfP50(contender: Contender, conditions: Conditions): Promise<number> {
  const { ours: expected } = await expectedResponses(
    { suite: '', title: contender.name, ours: contender, baseline: contender },
    exchange,
  );
  const times: number[] = [];
  for (let round = firstRound(conditions); round <= conditions.rounds; round++) {
    const { p50 } = await measureRound(contender, expected, false, conditions);
    if (round > 0) times.push(p50);
  }
  return spread(times).median;
}
