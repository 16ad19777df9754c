import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expectedAnswers } from './answers.ts';
import type { Arguments } from './arguments.ts';
import { exchange } from './exchange.ts';
import type { Load, Round } from './generator.ts';
import { processorTime } from './processes.ts';
import type { Comparison, Contender } from './suite.ts';

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

export interface Conditions extends Pick<Arguments, 'rounds' | 'seconds' | 'connections'> {
  /** The processes of PostgreSQL. */
  readonly database: () => readonly number[];
}

/** A B, A B, …: a change of the weather on the machine meets both. The first round of each only warms up. */
export async function measure(comparison: Comparison, conditions: Conditions): Promise<Measurement> {
  const { suite, title, goal, ours, baseline } = comparison;
  const expected = await expectedAnswers(comparison, exchange);
  const rounds = { ours: [] as MeasuredRound[], baseline: [] as MeasuredRound[] };
  for (let round = 0; round <= conditions.rounds; round++) {
    for (const side of ['ours', 'baseline'] as const) {
      const measured = await measureRound(comparison[side], expected[side], conditions);
      if (round > 0) rounds[side].push(measured);
    }
  }
  return {
    suite,
    title,
    ...(goal === undefined ? {} : { goal }),
    ours: { name: ours.name, rounds: rounds.ours },
    baseline: { name: baseline.name, rounds: rounds.baseline },
  };
}

async function measureRound(
  { name, origin, requests, variesFrom, pid }: Contender,
  expected: readonly string[],
  { connections, seconds, database }: Conditions,
): Promise<MeasuredRound> {
  if (new URL(origin).hostname !== '127.0.0.1') throw new Error(`${origin} is not on the loopback address`);
  const used = () => ({ server: processorTime([pid()]), database: processorTime(database()) });
  const before = used();
  const varies = variesFrom === undefined ? {} : { variesFrom };
  const round = await generate({ origin, requests, expected, connections, seconds, ...varies });
  const after = used();
  if (round.faults > 0 || round.requests === 0)
    throw new Error(`${name}: ${round.faults} of ${round.requests} answers were wrong. The first: ${round.firstFault}`);
  return {
    ...round,
    serverMicros: (after.server - before.server) / round.requests,
    databaseMicros: Math.max(0, after.database - before.database) / round.requests,
  };
}

/** The load generator is a fresh process each time, so that it is the same for everybody. */
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
