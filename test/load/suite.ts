import type { Stack } from '@lyceum/local';
import type { Arguments, Part } from './arguments.ts';
import type { SignIns } from './sign-ins.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The allowed differences between the responses to two equal requests. */
export interface Varying {
  /** Everything from this text on may differ. */
  readonly variesFrom?: string;
  /** Members that must have a new token, a new id or the time. */
  readonly variesIn?: readonly string[];
}

/** One of the two servers of a comparison. */
export interface Contender extends Varying {
  readonly name: string;
  /** On the loopback address. */
  readonly origin: string;
  /** Request n is equivalent to request n of the other contender. */
  readonly requests: readonly LoadRequest[];
  /** Whole sign-ins in place of requests. */
  readonly signIns?: SignIns;
  /** The facts that must be equal in both responses. Throws for another response. */
  readonly facts: (body: unknown) => unknown;
  /** The server process. */
  readonly pid: () => number;
}

/** A row of the result: ours ÷ baseline, in requests per second. */
export interface Comparison {
  readonly suite: string;
  readonly title: string;
  /** The goal: the minimum ratio. */
  readonly goal?: number;
  /** Requests are single-use: no round repeats one, and a round ends when it has sent its portion. */
  readonly once?: boolean;
  /** Not among the main ratios. */
  readonly isExtra?: boolean;
  readonly ours: Contender;
  readonly baseline: Contender;
}

/** A row of the result: a delay until something has its effect. */
export interface Delay {
  readonly suite: string;
  readonly title: string;
  /** The goal in milliseconds for the p99. */
  readonly goal: number;
  /** Milliseconds of each sample. */
  readonly samples: () => Promise<readonly number[]>;
}

/** A row of the result: one number that must not exceed its goal. */
export interface Quantity {
  readonly suite: string;
  readonly title: string;
  /** `MB`, `ms`, `µs`, or `×` for a ratio. */
  readonly unit: 'MB' | 'ms' | 'µs' | '×';
  readonly goal: number;
  readonly measure: () => Promise<number>;
}

export interface BaselineProcess {
  readonly origin: string;
  readonly pid: number;
}

export interface Bench {
  readonly stack: Stack;
  readonly arguments: Arguments;
  /** The processes of PostgreSQL. */
  readonly database: () => readonly number[];
  /** Reports work under a title, with its time. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Starts `baselines/<name>.ts` as a separate process. It ends with the benchmark. */
  startBaseline(name: string, configuration: object): Promise<BaselineProcess>;
  /** Records the contents of the databases for the report. */
  hold(data: Readonly<Record<string, number>>): void;
}

export type BenchRow = Comparison | Delay | Quantity;

export type Suite = (bench: Bench) => Promise<readonly BenchRow[]>;

/** Whether a row belongs to this part of the benchmark. */
export function belongsTo(part: Part, row: BenchRow): boolean {
  const isMain = 'ours' in row && row.isExtra !== true;
  return part === 'all' || isMain === (part === 'main');
}
