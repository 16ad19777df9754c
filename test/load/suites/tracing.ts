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

/** Requests to each of the two. */
const REQUESTS = 2_000;
/** Processor time is measured at load, because spans are exported once a second, however few they are. */
const AT_ONCE = 16;
/**
 * The processor time of two equal processes differs by some percent, so the median of several pairs counts. In half of
 * them the traced process starts first, because replicas share work that only one of them does.
 */
const PAIRS = 8;
/** Quotas count per person and client, and per site. These can read 38,400 times a minute. */
const SITES = 8;
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

  const list = async (origin: string, n: number): Promise<void> => {
    const { status, body } = await exchange(origin, readCourses(operators[n % operators.length]!, '?limit=20'));
    if (status !== 200) throw new Error(`${status}: ${body.slice(0, 500)}`);
  };
  const burst = (origin: string, atOnce: number) => (n: number) =>
    Promise.all(Array.from({ length: atOnce }, (_, index) => list(origin, n * atOnce + index)));
  const start = (settings: Readonly<Record<string, string>> = {}): Promise<Twin> =>
    startTwin(stack, 'admin-api', stack.databaseUrl('school'), settings);
  const compare = async (ratio: string, atOnce: number, isTracedFirst: boolean): Promise<Cost> => {
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio };
    const [one, other] = [await start(isTracedFirst ? traces : {}), await start(isTracedFirst ? {} : traces)];
    const measure = (): Promise<number> =>
      ratioOfMedians(scaled(wanted, REQUESTS / atOnce), [burst(one.origin, atOnce), burst(other.origin, atOnce)]);
    try {
      // Compilers of a new process take more of the processor than the requests.
      await measure();
      const before = [one, other].map(({ pid }) => processorTime([pid]));
      const median = await measure();
      const [ofOne, ofOther] = [one, other].map(({ pid }, index) => processorTime([pid]) - before[index]!);
      const processor = ofOne! / ofOther!;
      return isTracedFirst ? { median, processor } : { median: 1 / median, processor: 1 / processor };
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  };
  const cost = (ratio: string, pairs: number, atOnce: number): Promise<Cost> =>
    step(`list courses with the ratio ${ratio} and without tracing in turn`, async () => {
      const costs: Cost[] = [];
      while (costs.length < scaled(wanted, pairs)) costs.push(await compare(ratio, atOnce, costs.length % 2 === 0));
      const median = (part: keyof Cost): number => spread(costs.map((one) => one[part])).median;
      return { median: median('median'), processor: median('processor') };
    });
  const [all, tenth, few] = [await cost('1', 2, 1), await cost('0.1', PAIRS, AT_ONCE), await cost('0.05', 2, 1)];
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
