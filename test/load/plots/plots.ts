import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName } from '@lyceum/contracts';
import { WORKSPACE } from '@lyceum/local';
import { benchSite } from '../bench-stack.ts';
import { courseIds } from '../data/courses.ts';
import { fillLearner } from '../data/learner.ts';
import { fillAuth } from '../data/tokens.ts';
import { exchange } from '../exchange.ts';
import { thisMachine } from '../machine.ts';
import { type MeasuredRound, measureRound } from '../measure.ts';
import { quantile, spread } from '../ratio.ts';
import { expectedResponses } from '../responses.ts';
import type { Bench, Contender, LoadRequest, Suite } from '../suite.ts';
import { readCourses } from '../suites/course-requests.ts';
import { callOf } from '../suites/tools.ts';
import { mainRequests, type MainRequests, serviceOf } from '../suites/weight.ts';
import { type Line, type Plot, svgOf } from './plot.ts';

const CONNECTIONS = [1, 4, 16, 64];
const ROUNDS = 2;
/** Rows of the table that each request reads: courses of the site, access tokens, and enrollments. */
const ROWS = [1_000, 10_000, 100_000];
/** Enrollments of a person. */
const ENROLLMENTS = 10;
/** Requests for one point, below the quotas of a site and of a client. */
const READS = 150;
const WARM_UP = 50;
/** Different requests of a kind. */
const DIFFERENT = 640;
const HOUR = 3_600;
const DIRECTORY = join(WORKSPACE, 'docs/plots');

interface MainRequest {
  readonly name: string;
  readonly service: ServiceName;
  readonly requests: readonly LoadRequest[];
  readonly variesFrom?: string;
}

interface LoadPoint {
  readonly request: string;
  readonly connections: number;
  readonly requests_per_second: number;
  /** Milliseconds. */
  readonly p99: number;
}

interface SizePoint {
  readonly request: string;
  readonly rows: number;
  /** Milliseconds. */
  readonly p50: number;
}

/**
 * Draws the five main requests over the number of connections, and over the size of the data. Writes the figures beside
 * the plots.
 */
export const plots: Suite = async (bench) => {
  const { stack, arguments: wanted } = bench;
  const main = await mainRequests(bench, ROWS);
  const five = await mainFive(bench, main);
  const load: LoadPoint[] = [];
  for (const one of five) load.push(...(await overConnections(bench, one)));
  const size = await overRows(bench, main, five);
  const machine = await thisMachine(stack.databaseUrl('auth'));
  const conditions = { rounds: ROUNDS, seconds: wanted.seconds, reads: READS };
  mkdirSync(DIRECTORY, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(DIRECTORY, name), text);
  write('plots.json', `${JSON.stringify({ machine, conditions, load, size }, rounded, 2)}\n`);
  for (const [name, plot] of Object.entries(drawn(load, size))) write(`${name}.svg`, svgOf(plot));
  return [];
};

/** Shows a figure with three decimals. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(3)) : value;
}

/** The plots by the names of their files. */
export function drawn(load: readonly LoadPoint[], size: readonly SizePoint[]): Record<string, Plot> {
  const x = 'connections';
  return {
    throughput: {
      title: 'Requests a second over connections',
      x,
      y: 'requests a second',
      lines: lines(load, ({ connections, requests_per_second }) => [connections, requests_per_second]),
    },
    p99: {
      title: 'p99 over connections',
      x,
      y: 'ms',
      lines: lines(load, ({ connections, p99 }) => [connections, p99]),
    },
    rows: {
      title: 'p50 over the rows of the table',
      x: 'rows',
      y: 'ms',
      lines: lines(size, ({ rows, p50 }) => [rows, p50]),
    },
  };
}

function lines<P extends { readonly request: string }>(
  points: readonly P[],
  at: (point: P) => readonly [number, number],
): Line[] {
  return [...Map.groupBy(points, ({ request }) => request)].map(([name, own]) => ({ name, points: own.map(at) }));
}

async function mainFive({ stack }: Bench, { requests, operators }: MainRequests): Promise<MainRequest[]> {
  const many = (of: (n: number) => LoadRequest): LoadRequest[] => Array.from({ length: DIFFERENT }, (_, n) => of(n));
  const sites = new Map<string, readonly string[]>();
  for (const { site_id } of operators) {
    if (!sites.has(site_id)) sites.set(site_id, await courseIds(stack.databaseUrl('school'), site_id, 100, 30));
  }
  const oneOf = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
  // All operators read, because each of them has a limit.
  const reads = (n: number): LoadRequest => {
    const operator = oneOf(operators, n);
    return readCourses(operator, `/${oneOf(sites.get(operator.site_id)!, n)}`);
  };
  return [
    { name: 'viewer', service: 'member-api', requests: many(requests['member-api']), variesFrom: ',"extensions":' },
    { name: 'introspection', service: 'auth', requests: many(requests.auth) },
    { name: 'tools/call', service: 'mcp-gateway', requests: many(requests['mcp-gateway']) },
    { name: 'operator get', service: 'admin-api', requests: many(reads) },
    { name: 'operator list', service: 'admin-api', requests: many(requests['admin-api']) },
  ];
}

/** The median of the rounds at each number of connections. One more round of the first number warms up. */
async function overConnections(
  { stack, arguments: { seconds }, database, step }: Bench,
  { name, service, requests, variesFrom }: MainRequest,
): Promise<LoadPoint[]> {
  const { internalUrl: origin, pid } = serviceOf(stack, service);
  const contender: Contender = {
    name,
    origin,
    requests,
    facts: () => undefined,
    pid: () => pid!,
    ...(variesFrom === undefined ? {} : { variesFrom }),
  };
  const { ours: expected } = await expectedResponses(
    { suite: 'plots', title: name, ours: contender, baseline: contender },
    exchange,
  );
  const round = (connections: number) => measureRound(contender, expected, false, { seconds, connections, database });
  return step(`${name} over connections`, async () => {
    await round(CONNECTIONS.at(-1)!);
    const points: LoadPoint[] = [];
    for (const connections of CONNECTIONS) {
      const rounds: MeasuredRound[] = [];
      while (rounds.length < ROUNDS) rounds.push(await round(connections));
      const median = (of: (one: MeasuredRound) => number): number => spread(rounds.map(of)).median;
      points.push({
        request: name,
        connections,
        requests_per_second: median((one) => one.requestsPerSecond),
        p99: median((one) => one.p99),
      });
    }
    return points;
  });
}

async function overRows(bench: Bench, { further }: MainRequests, five: readonly MainRequest[]): Promise<SizePoint[]> {
  const { stack, step } = bench;
  const points: SizePoint[] = [];
  for (const [index, rows] of ROWS.entries()) {
    await step(`load ${rows} rows`, () => fillRows(bench, rows));
    const owners = further[index]!;
    const owner = (n: number): (typeof owners)[number] => owners[n % owners.length]!;
    const ids = await courseIds(stack.databaseUrl('school'), owners[0]!.site_id, rows, READS);
    /** Courses are at a site of their own for each size; the other requests read the same rows as before. */
    const own: Readonly<Record<string, (n: number) => LoadRequest>> = {
      'tools/call': (n) => callOf(owner(0).host, n),
      'operator get': (n) => readCourses(owner(n), `/${ids[n % ids.length]!}`),
      'operator list': (n) => readCourses(owner(n), '?limit=20'),
    };
    for (const { name, service, requests } of five) {
      const { internalUrl } = serviceOf(stack, service);
      const of = own[name] ?? ((n: number): LoadRequest => requests[n % requests.length]!);
      const p50 = await step(`${name} at ${rows} rows`, () => medianOf(internalUrl, of));
      points.push({ request: name, rows, p50 });
    }
  }
  return points;
}

async function fillRows({ stack }: Bench, rows: number): Promise<void> {
  const site = benchSite(stack);
  const client = site.clients.find(({ audience, client_secret }) => audience === 'member' && !client_secret)!;
  const issuedAt = Math.floor(Date.now() / 1_000);
  const tokens = { site, clientId: client.client_id, tokens: rows, issuedAt, expiresAt: issuedAt + 2 * HOUR };
  await fillAuth(stack.databaseUrl('auth'), tokens);
  await fillLearner(stack.databaseUrl('learner'), site.site_id, rows / ENROLLMENTS);
}

/** The median time of a request over one connection. */
async function medianOf(origin: string, requestOf: (n: number) => LoadRequest): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + READS; n += 1) {
    const began = performance.now();
    const { status, body } = await exchange(origin, requestOf(n));
    if (status !== 200) throw new Error(`${origin}: ${status} ${body.slice(0, 500)}`);
    if (n >= WARM_UP) times.push(performance.now() - began);
  }
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}
