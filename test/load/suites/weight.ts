import { type ServiceName, SERVICES } from '@lyceum/contracts';
import { freePort, type Stack, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { scaled } from '../arguments.ts';
import { benchSite, membersOf } from '../bench-stack.ts';
import { type SignedInMember, signInMembers, untilMembersArrived } from '../data/members.ts';
import type { Operator } from '../data/operators.ts';
import { exchange } from '../exchange.ts';
import { processorTime, residentMemory } from '../processes.ts';
import { spread } from '../ratio.ts';
import type { Bench, LoadRequest, Quantity, Suite } from '../suite.ts';
import { readCourses } from './course-requests.ts';
import { servedOperators } from './served-operators.ts';
import { callOf, publishCourses } from './tools.ts';

/** Request n of one kind. */
export type RequestOf = (n: number) => LoadRequest;

interface Start {
  /** From the start of the process to the first response of /readyz. */
  readonly milliseconds: number;
  /** Milliseconds of processor time until then. */
  readonly processor: number;
}

/** Quotas count per person and client, and per site. */
const SITES = 32;
const LEAST_SITES = 4;
const OWNERS = 10;
/** At each of the sites. */
const COURSES = 100;

/** Measures the memory of each service after load, and its start. */
export const weight: Suite = async (bench) => {
  const { stack, step, arguments: wanted } = bench;
  const milliseconds = wanted.rounds * wanted.seconds * 1_000;
  for (const [name, requestOf] of Object.entries((await mainRequests(bench)).requests)) {
    const { internalUrl } = serviceOf(stack, name as ServiceName);
    await step(`send requests to ${name}`, () => press(internalUrl, requestOf, wanted.connections, milliseconds));
  }
  const memory = SERVICES.map((name) => (residentMemory(serviceOf(stack, name).pid!) ?? NaN) / 1024 ** 2);
  const parts: Quantity[] = SERVICES.map((name, index) => ({
    suite: 'weight',
    title: `memory of ${name} after load`,
    unit: 'MB',
    goal: 120,
    measure: () => Promise.resolve(memory[index]!),
  }));
  for (const name of SERVICES) {
    const starts: Start[] = [];
    await step(`start ${name} ${wanted.rounds} times`, async () => {
      while (starts.length < wanted.rounds) starts.push(await startOnce(stack, name));
    });
    parts.push(...startParts(name, starts));
  }
  return parts;
};

function startParts(name: ServiceName, starts: readonly Start[]): Quantity[] {
  const of = (title: string, values: readonly number[]): Quantity => ({
    suite: 'weight',
    title: `${title} of ${name}`,
    unit: 'ms',
    goal: 1_000,
    measure: () => Promise.resolve(spread(values).median),
  });
  return [
    of(
      'start until ready',
      starts.map(({ milliseconds }) => milliseconds),
    ),
    of(
      'processor time of a start',
      starts.map(({ processor }) => processor),
    ),
  ];
}

/** One more replica beside the running one, on the same migrated database. */
async function startOnce(stack: Stack, name: ServiceName): Promise<Start> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const environment = { ...stack.environment(name), ...ports };
  const began = performance.now();
  const child = startServiceProcess(name, environment, `${serviceOf(stack, name).logFile}.start`);
  try {
    await untilServiceReady(child, `http://127.0.0.1:${managementPort}`);
    return { milliseconds: performance.now() - began, processor: processorTime([child.pid]) / 1_000 };
  } finally {
    await child.stop();
  }
}

export interface MainRequests {
  /** The main request of each service. */
  readonly requests: Record<ServiceName, RequestOf>;
  readonly members: readonly SignedInMember[];
  /** Operators of the sites with few courses. */
  readonly operators: readonly Operator[];
  /** The operators of each further site. */
  readonly further: readonly (readonly Operator[])[];
}

/** @param courses the number of courses at each further site */
export async function mainRequests(
  bench: Pick<Bench, 'stack' | 'step' | 'arguments'>,
  courses: readonly number[] = [],
): Promise<MainRequests> {
  const { stack, step, arguments: wanted } = bench;
  const site = benchSite(stack);
  const { host } = new URL(site.base_url);
  await untilMembersArrived(stack.databaseUrl('learner'), membersOf(site));
  const members = await step('sign members in', () => signInMembers(site));
  await publishCourses(bench);
  const sites = scaled(wanted, SITES, LEAST_SITES) + courses.length;
  const all = await step(`load ${sites} sites with ${OWNERS} operators each`, () =>
    servedOperators(stack, { sites, owners: OWNERS, courses: (n) => courses[n] ?? COURSES }),
  );
  const ids = [...new Set(all.map(({ site_id }) => site_id))];
  const further = courses.map((_count, index) => all.filter(({ site_id }) => site_id === ids[index]));
  const operators = all.filter(({ site_id }) => ids.indexOf(site_id) >= courses.length);
  const { INTROSPECTION_CLIENT_ID: client_id = '', INTROSPECTION_CLIENT_SECRET: client_secret = '' } =
    stack.environment('member-api');
  const tokenOf = (n: number): string => members[n % members.length]!.token;
  const requests: MainRequests['requests'] = {
    auth: (n) => ({
      method: 'POST',
      path: '/api/oauth/introspect',
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: tokenOf(n), client_id, client_secret }).toString(),
    }),
    'admin-api': (n) => readCourses(operators[n % operators.length]!, '?limit=20'),
    'member-api': (n) => ({
      method: 'POST',
      path: '/member/graphql',
      headers: { host, authorization: `Bearer ${tokenOf(n)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { id name email notifications(first: 20) { nodes { id title } } } }' }),
    }),
    'mcp-gateway': (n) => callOf(host, n),
  };
  return { requests, members, operators, further };
}

/** Each connection sends the next request after each response. */
export async function press(
  origin: string,
  requestOf: RequestOf,
  connections: number,
  milliseconds: number,
): Promise<number> {
  const until = performance.now() + milliseconds;
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < until) {
      const { status, body } = await exchange(origin, requestOf(sent++));
      if (status !== 200) throw new Error(`${origin}: ${status} ${body.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return sent;
}

export function serviceOf(stack: Stack, name: ServiceName): Stack['services'][number] {
  const found = stack.services.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} does not run`);
  return found;
}
