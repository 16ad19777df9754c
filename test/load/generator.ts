import autocannon from 'autocannon';
import { stablePart } from './exchange.ts';
import { portion } from './portion.ts';
import { quantile } from './ratio.ts';
import type { Round } from './round.ts';
import { runSignIns, type SignIns } from './sign-ins.ts';
import type { LoadRequest, Varying } from './suite.ts';

/** The message of the parent process. */
export interface Load extends Varying {
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
  readonly expected: readonly string[];
  /** No request is sent twice. */
  readonly once: boolean;
  readonly connections: number;
  readonly seconds: number;
  /** Sent in place of the requests. */
  readonly signIns?: SignIns;
}

/** More than any server here can serve: the bound only ends a runaway loop. */
const MOST_PER_SECOND = 100_000;
/**
 * More than a connection gets in a second. autocannon builds all requests of all connections before it reads the first
 * response: 327,680 took 5 s, the time after which a request counts as lost.
 */
const MOST_OF_CONNECTION = 1_000;

function run(load: Load): Promise<Round> {
  const { requests, connections, seconds, once } = load;
  const stable = stablePart(load);
  const expected = new Set(load.expected);
  const durations: number[] = [];
  let began = 0;
  let ended = 0;
  let connection = 0;
  let firstFault: string | undefined;
  return new Promise((resolve, reject) => {
    const tracker = autocannon(
      {
        url: load.origin,
        connections,
        duration: seconds,
        ...(once
          ? { maxConnectionRequests: portion(requests, 0, connections).length }
          : { maxOverallRequests: Math.ceil(seconds * MOST_PER_SECOND) }),
        timeout: 5,
        sampleInt: 50,
        bailout: 10,
        // Each connection starts at another request, so they do not request the same person at the same time.
        setupClient: (client) => {
          const mine = connection++ % connections;
          if (once) return client.setRequests(portion(requests, mine, connections));
          const from = Math.floor(mine * (requests.length / connections));
          const most = Math.ceil(seconds * MOST_OF_CONNECTION);
          client.setRequests([...requests.slice(from), ...requests.slice(0, from)].slice(0, most));
        },
        verifyBody: (body) => {
          if (expected.has(stable(body))) return true;
          firstFault ??= body.slice(0, 500);
          return false;
        },
      },
      (error, result) => {
        if (error) return reject(error);
        const { non2xx, errors, mismatches } = result;
        const sorted = Float64Array.from(durations).sort();
        resolve({
          requests: sorted.length,
          requestsPerSecond: sorted.length / ((ended - began) / 1_000),
          p50: quantile(sorted, 0.5),
          p99: quantile(sorted, 0.99),
          // A refusal counts as a mismatch, a timeout as an error.
          faults: Math.max(non2xx, mismatches) + errors,
          ...(firstFault === undefined ? {} : { firstFault }),
        });
      },
    );
    tracker.on('response', (_client: unknown, _status: number, _bytes: number, duration: number) => {
      durations.push(duration);
      ended = performance.now();
    });
    tracker.on('reqError', (error: Error) => (firstFault ??= error.message));
    began = performance.now();
  });
}

process.once('message', (load: Load) => {
  const { signIns, connections, seconds } = load;
  const round = signIns === undefined ? run(load) : runSignIns(load.origin, signIns, connections, seconds);
  void round.then(
    (round) => process.send!(round, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
// The parent has ended.
process.once('disconnect', () => process.exit(1));
