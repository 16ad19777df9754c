import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expectedResponses } from './responses.ts';
import type { Arguments } from './arguments.ts';
import { exchange } from './exchange.ts';
import { portion } from './portion.ts';
import type { Load } from './generator.ts';
import { processorTime } from './processes.ts';
import { quantile } from './ratio.ts';
import type { Round } from './round.ts';
import type { Comparison, Contender, Delay, LoadRequest, Quantity } from './suite.ts';

export interface MeasuredRound extends Round {
  /** Microseconds of processor time per request: of the server, and of PostgreSQL on its behalf. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

export interface Measurement {
  readonly suite: string;
  readonly title: string;
  readonly goal?: number;
  readonly ours: MeasuredContender;
  readonly baseline: MeasuredContender;
}

export interface MeasuredContender {
  readonly name: string;
  readonly rounds: readonly MeasuredRound[];
}

export interface MeasuredQuantity extends Omit<Quantity, 'measure'> {
  readonly value: number;
}

export interface Conditions extends Pick<Arguments, 'rounds' | 'seconds' | 'connections' | 'brief'> {
  /** The processes of PostgreSQL. */
  readonly database: () => readonly number[];
}

export interface MeasuredDelay extends Pick<Delay, 'suite' | 'title' | 'goal'> {
  readonly times: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Single-use requests that are sent before the measurement to compare the responses. */
export const ASKED_BEFORE = 16;

export async function measureDelay({ suite, title, goal, samples }: Delay): Promise<MeasuredDelay> {
  const sorted = [...(await samples())].sort((a, b) => a - b);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(sorted, share)) as [number, number, number];
  return { suite, title, goal, times: sorted.length, p50, p99, max };
}

export async function measureQuantity({ measure: measured, ...quantity }: Quantity): Promise<MeasuredQuantity> {
  return { ...quantity, value: await measured() };
}

/** The number of the first round: round 0 warms up, and is left out with `--brief`. */
export const firstRound = ({ brief }: Pick<Conditions, 'brief'>): number => (brief ? 1 : 0);

/** A B, A B, …: changes in the load of the machine affect both. The first round of each warms up. */
export async function measure(comparison: Comparison, conditions: Conditions): Promise<Measurement> {
  const { suite, title, goal, ours, baseline, once = false } = comparison;
  const before = (side: Contender): Contender => ({ ...side, requests: side.requests.slice(0, ASKED_BEFORE) });
  const requested = once ? { ...comparison, ours: before(ours), baseline: before(baseline) } : comparison;
  const expected = ours.signIns ? { ours: [], baseline: [] } : await expectedResponses(requested, exchange);
  const requestsOf = ({ requests }: Contender, round: number): readonly LoadRequest[] =>
    once ? portion(requests.slice(ASKED_BEFORE), round, conditions.rounds + 1) : requests;
  const rounds = { ours: [] as MeasuredRound[], baseline: [] as MeasuredRound[] };
  for (let round = firstRound(conditions); round <= conditions.rounds; round++) {
    const measureSide = async (side: 'ours' | 'baseline'): Promise<void> => {
      const contender = { ...comparison[side], requests: requestsOf(comparison[side], round) };
      const measured = await measureRound(contender, expected[side], once, conditions);
      if (round > 0) rounds[side].push(measured);
    };
    const first = measureSide('ours');
    // The figures of `--brief` say nothing, so both sides run at the same time.
    if (!conditions.brief) await first;
    await Promise.all([first, measureSide('baseline')]);
  }
  return {
    suite,
    title,
    ...(goal === undefined ? {} : { goal }),
    ours: { name: ours.name, rounds: rounds.ours },
    baseline: { name: baseline.name, rounds: rounds.baseline },
  };
}

export async function measureRound(
  { name, origin, requests, signIns, variesFrom, variesIn, pid }: Contender,
  expected: readonly string[],
  once: boolean,
  { connections, seconds, database }: Omit<Conditions, 'rounds' | 'brief'>,
): Promise<MeasuredRound> {
  if (new URL(origin).hostname !== '127.0.0.1') throw new Error(`${origin} is not on the loopback address`);
  const used = () => ({ server: processorTime([pid()]), database: processorTime(database()) });
  const before = used();
  const varies = {
    ...(variesFrom === undefined ? {} : { variesFrom }),
    ...(variesIn === undefined ? {} : { variesIn }),
    ...(signIns === undefined ? {} : { signIns }),
  };
  const { sessions, ...round } = await generate({ origin, requests, expected, once, connections, seconds, ...varies });
  const after = used();
  if (sessions !== undefined) signIns?.sessions.splice(0, sessions.length, ...sessions);
  if (round.faults > 0 || round.requests === 0)
    throw new Error(`${name}: ${round.faults} of ${round.requests} answers were wrong. The first: ${round.firstFault}`);
  if (once && round.requests > requests.length) throw new Error(`${name}: some requests were sent twice`);
  return {
    ...round,
    serverMicros: (after.server - before.server) / round.requests,
    databaseMicros: Math.max(0, after.database - before.database) / round.requests,
  };
}

/** The load generator is a new process each time, so conditions are equal. */
function generate(load: Load): Promise<Round> {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced' });
  const patience = setTimeout(() => child.kill('SIGKILL'), (load.seconds + 20) * 1_000);
  return new Promise<Round>((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (round) => resolve(round as Round));
    child.once('exit', (code, signal) => reject(new Error(`The load generator ended with ${signal ?? code}`)));
    child.send(load);
  }).finally(() => clearTimeout(patience));
}
