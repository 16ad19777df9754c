import type { Stack } from '@lyceum/local';
import type { Arguments } from './arguments.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One of the two servers of a comparison. */
export interface Contender {
  readonly name: string;
  /** On the loopback address. */
  readonly origin: string;
  /** Request n asks for the same as request n of the other contender. */
  readonly requests: readonly LoadRequest[];
  /** What must be equal in the answers of both; throws when it is no such answer. */
  readonly facts: (body: unknown) => unknown;
  /** Text from which on the answer differs between two equal requests. */
  readonly variesFrom?: string;
  /** The process that answers. */
  readonly pid: () => number;
}

/** A row of the result: ours ÷ baseline, in requests per second. */
export interface Comparison {
  readonly suite: string;
  readonly title: string;
  /** The least ratio that the project wants. */
  readonly goal?: number;
  readonly ours: Contender;
  readonly baseline: Contender;
}

export interface BaselineProcess {
  readonly origin: string;
  readonly pid: number;
}

export interface Bench {
  readonly stack: Stack;
  readonly arguments: Arguments;
  /** Shows work under a title, with its time. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Starts `baselines/<name>.ts` as a process of its own, like the services. It ends with the benchmark. */
  startBaseline(name: string, configuration: object): Promise<BaselineProcess>;
  /** Notes for the report what the databases hold. */
  hold(data: Readonly<Record<string, number>>): void;
}

export type Suite = (bench: Bench) => Promise<readonly Comparison[]>;
