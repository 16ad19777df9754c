import type { Stack } from '@lyceum/local';
import type { Arguments } from './arguments.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How an answer may differ between two equal requests. */
export interface Varying {
  /** From this text on, in every way. */
  readonly variesFrom?: string;
  /** Members that hold a new token, a new id or the time, and must hold one. */
  readonly variesIn?: readonly string[];
}

/** One of the two servers of a comparison. */
export interface Contender extends Varying {
  readonly name: string;
  /** On the loopback address. */
  readonly origin: string;
  /** Request n asks for the same as request n of the other contender. */
  readonly requests: readonly LoadRequest[];
  /** What must be equal in the answers of both; throws when it is no such answer. */
  readonly facts: (body: unknown) => unknown;
  /** The process that answers. */
  readonly pid: () => number;
}

/** A row of the result: ours ÷ baseline, in requests per second. */
export interface Comparison {
  readonly suite: string;
  readonly title: string;
  /** The least ratio that the project wants. */
  readonly goal?: number;
  /** Every request is good for one time: no round sends one that was sent before, and a round ends when it has sent all of its own. */
  readonly once?: boolean;
  readonly ours: Contender;
  readonly baseline: Contender;
}

/** A row of the result: how long something takes to have its effect. */
export interface Delay {
  readonly suite: string;
  readonly title: string;
  /** Milliseconds that its p99 may have. */
  readonly goal: number;
  /** Milliseconds, once for each time that it was done. */
  readonly samples: () => Promise<readonly number[]>;
}

/** A row of the result: one number that must not be more than its goal. */
export interface Quantity {
  readonly suite: string;
  readonly title: string;
  /** `MB`, `µs`, or `×` for how many times as much. */
  readonly unit: 'MB' | 'µs' | '×';
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
  /** Shows work under a title, with its time. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Starts `baselines/<name>.ts` as a process of its own, like the services. It ends with the benchmark. */
  startBaseline(name: string, configuration: object): Promise<BaselineProcess>;
  /** Notes for the report what the databases hold. */
  hold(data: Readonly<Record<string, number>>): void;
}

export type Suite = (bench: Bench) => Promise<readonly (Comparison | Delay | Quantity)[]>;
