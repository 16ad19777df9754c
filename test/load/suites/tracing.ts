import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scaled } from '../arguments.ts';
import { exchange } from '../exchange.ts';
import { ratioOfMedians } from '../in-turn.ts';
import type { Quantity, Suite } from '../suite.ts';
import { processorTime } from '../processes.ts';
import { spread } from '../ratio.ts';
import { startTwin } from '../twin.ts';
import type { Twin } from '../twin.ts';
import { readCourses } from './course-requests.ts';
import { servedOperators } from './served-operators.ts';

interface Effort {
  /** Pairs of new processes. In half of them the traced one starts first: replicas share work that only one does. */
  readonly pairs: number;
  readonly atOnce: number;
  /** Requests to each of the two before they are measured: their compilers take more than the requests. */
  readonly warmUp: number;
  /** Measured requests to each of the two. */
  readonly requests: number;
}

const FOR_MEDIAN: Effort = { pairs: 2, atOnce: 1, warmUp: 2_000, requests: 2_000 };
/**
 * At load, because spans are exported once a second, however few they are. Equal processes differ by 3 % (standard
 * deviation), so the geometric mean of 14 pairs has an error of 0.8 %. Compilers and collections of the old generation
 * end during the warm-up, so a pair measures requests of a process that has run for a while. Each trace of the warm-up
 * is recorded: with one of ten, the code of spans would still be interpreted when the measurement begins.
 */
const FOR_PROCESSOR_TIME: Effort = { pairs: 14, atOnce: 16, warmUp: 9_600, requests: 9_600 };
/** Quotas count per person and client, and per site. These can read 153,600 times a minute. */
const SITES = 32;
const OWNERS = 8;
const COURSES = 100;

/** Time of a request ÷ that without tracing. */
interface Cost {
  readonly median: number;
  readonly processor: number;
}

/** Compares replicas of admin-api with tracing to the one without. The collector reads spans and drops them. */
export const tracing: Suite = async ({ stack, arguments: wanted, step }) => {
  const operators = await step(`load ${SITES} sites with ${OWNERS} operators each`, () =>
    servedOperators(stack, { sites: SITES, owners: OWNERS, courses: () => COURSES }),
  );
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

  const list = async (origin: string, n: number, isSampled: boolean): Promise<void> => {
    const { headers, ...request } = readCourses(operators[n % operators.length]!, '?limit=20');
    const sent = { ...request, headers: { ...headers, ...(isSampled ? { traceparent: sampledTrace() } : {}) } };
    const { status, body } = await exchange(origin, sent);
    if (status !== 200) throw new Error(`${status}: ${body.slice(0, 500)}`);
  };
  const burst = (origin: string, atOnce: number, isSampled: boolean) => (n: number) =>
    Promise.all(Array.from({ length: atOnce }, (_, index) => list(origin, n * atOnce + index, isSampled)));
  const start = (settings: Readonly<Record<string, string>> = {}): Promise<Twin> =>
    startTwin(stack, 'admin-api', stack.databaseUrl('school'), { ...settings, TRACES_OF_CALLERS: 'continue' });
  const compare = async (
    ratio: string,
    { atOnce, warmUp, requests }: Effort,
    isTracedFirst: boolean,
  ): Promise<Cost> => {
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio };
    const [one, other] = [await start(isTracedFirst ? traces : {}), await start(isTracedFirst ? {} : traces)];
    const measure = (count: number, isSampled = false): Promise<number> => {
      const to = ({ origin }: Twin) => burst(origin, atOnce, isSampled);
      return ratioOfMedians(scaled(wanted, count / atOnce), [to(one), to(other)]);
    };
    try {
      await measure(warmUp, true);
      const before = [one, other].map(({ pid }) => processorTime([pid]));
      const median = await measure(requests);
      const [ofOne, ofOther] = [one, other].map(({ pid }, index) => processorTime([pid]) - before[index]!);
      const processor = ofOne! / ofOther!;
      return isTracedFirst ? { median, processor } : { median: 1 / median, processor: 1 / processor };
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  };
  const cost = (ratio: string, effort: Effort): Promise<Cost> =>
    step(`list courses with the ratio ${ratio} and without tracing in turn`, async () => {
      const costs: Cost[] = [];
      while (costs.length < scaled(wanted, effort.pairs))
        costs.push(await compare(ratio, effort, costs.length % 2 === 0));
      // The geometric mean: a ratio counts as much as its inverse.
      const processor = Math.exp(costs.reduce((sum, one) => sum + Math.log(one.processor), 0) / costs.length);
      return { median: spread(costs.map((one) => one.median)).median, processor };
    });
  const all = await cost('1', FOR_MEDIAN);
  const tenth = await cost('0.1', FOR_PROCESSOR_TIME);
  const few = await cost('0.05', FOR_MEDIAN);
  await new Promise((resolve) => collector.close(resolve));
  const quantity = (what: string, goal: number, value: number): Quantity => ({
    suite: 'tracing',
    title: `${what} ÷ tracing off`,
    unit: '×',
    goal,
    measure: () => Promise.resolve(value),
  });
  return [
    quantity('p50 of a list of courses, every trace recorded', 1.5, all.median),
    quantity('p50 of a list of courses, 5 % of traces recorded', 1.1, few.median),
    quantity('processor time of a list of courses, 10 % of traces recorded', 1.03, tenth.processor),
  ];
};

/** The position of a caller that records its trace (W3C Trace Context). */
function sampledTrace(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}
