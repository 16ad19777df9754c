/** The figures of one round of load. */
export interface Round {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Unexpected responses, refused or broken connections, and timeouts. */
  readonly faults: number;
  readonly firstFault?: string;
  /** The cookies of the browsers afterwards, if the load was sign-ins. */
  readonly sessions?: readonly string[];
}
