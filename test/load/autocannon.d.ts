/** The types that the load generator uses. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Request {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  interface Client {
    setRequests(requests: readonly Request[]): void;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly maxOverallRequests?: number;
    readonly maxConnectionRequests?: number;
    /** Seconds. */
    readonly timeout: number;
    /** Milliseconds. */
    readonly sampleInt: number;
    /** Ends the run after so many errors or mismatches. */
    readonly bailout: number;
    readonly setupClient: (client: Client) => void;
    readonly verifyBody: (body: string) => boolean;
  }
  interface Result {
    readonly non2xx: number;
    readonly errors: number;
    readonly mismatches: number;
  }
  export default function autocannon(
    options: Options,
    callback: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
