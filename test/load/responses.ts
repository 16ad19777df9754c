import { isDeepStrictEqual } from 'node:util';
import { type ApiResponse, stablePart } from './exchange.ts';
import type { Comparison, Contender, LoadRequest } from './suite.ts';

export type Send = (origin: string, request: LoadRequest) => Promise<ApiResponse>;

/** Requests that are sent together: as many as a round has connections. */
const AT_ONCE = 16;

/** The expected responses during the measurement: the stable parts of all of them. */
export interface Expected {
  readonly ours: readonly string[];
  readonly baseline: readonly string[];
}

/**
 * Sends each request once to both contenders. A fast wrong response is worth nothing: an error status, or facts
 * that differ between the two, end the benchmark.
 */
export async function expectedResponses(comparison: Comparison, send: Send): Promise<Expected> {
  const { ours, baseline, title } = comparison;
  if (ours.requests.length === 0 || ours.requests.length !== baseline.requests.length)
    throw new Error(`${title}: ${ours.requests.length} requests against ${baseline.requests.length}`);
  const expected = { ours: new Set<string>(), baseline: new Set<string>() };
  const pairs = new Map<LoadRequest, LoadRequest>();
  const different: [number, LoadRequest, LoadRequest][] = [];
  for (const [index, request] of ours.requests.entries()) {
    const other = baseline.requests[index]!;
    if (pairs.get(request) === other) continue;
    pairs.set(request, other);
    different.push([index, request, other]);
  }
  const compare = async ([index, request, other]: (typeof different)[number]): Promise<void> => {
    const [mine, theirs] = await Promise.all([responseOf(ours, request, send), responseOf(baseline, other, send)]);
    if (!isDeepStrictEqual(mine.facts, theirs.facts))
      throw new Error(
        `${title}, request ${index}: different responses.\n${ours.name}: ${shown(mine.facts)}\n${baseline.name}: ${shown(theirs.facts)}`,
      );
    expected.ours.add(mine.stable);
    expected.baseline.add(theirs.stable);
  };
  for (let from = 0; from < different.length; from += AT_ONCE)
    await Promise.all(different.slice(from, from + AT_ONCE).map(compare));
  return { ours: [...expected.ours], baseline: [...expected.baseline] };
}

async function responseOf(contender: Contender, request: LoadRequest, send: Send) {
  const { status, body } = await send(contender.origin, request);
  if (status < 200 || status > 299) throw new Error(`${contender.name} returned ${status}: ${body.slice(0, 500)}`);
  return { facts: contender.facts(JSON.parse(body)), stable: stablePart(contender)(body) };
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 2_000);
}
