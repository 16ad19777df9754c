import { DATABASES } from '@lyceum/local';
import { scaled } from '../arguments.ts';
import { benchSite, membersOf } from '../bench-stack.ts';
import { type Crowd, fillLearners, fillPeople, fillStudents } from '../data/crowd.ts';
import { signInMembers, untilMembersArrived } from '../data/members.ts';
import { fillOperators } from '../data/operators.ts';
import { exchange } from '../exchange.ts';
import { ratioOfMedians } from '../in-turn.ts';
import { residentMemory } from '../processes.ts';
import type { LoadRequest, Quantity, Suite } from '../suite.ts';
import { copyDatabase, startTwin } from '../twin.ts';
import { untilServed } from './served-operators.ts';

const SITES = 1_000;
const PEOPLE_OF_EACH = 2_000;
/** The measured sites: that of the members, and that of the operators. */
const MEASURED = 2;
const OWNERS = 10;
const SCOPE = 'courses:read students:read members:read';
/** Requests of each kind to each server. All of them are below the quota of a site. */
const REQUESTS = 300;
const GOAL = 1.2;
/** Megabytes. */
const MEMORY_GOAL = 350;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
const VIEWER = '{ viewer { name schools { name } enrolledCourses(first: 20) { nodes { slug } } } }';

const SERVICES = ['auth', 'admin-api', 'member-api'] as const;
type Kind = readonly [title: string, service: (typeof SERVICES)[number], request: (n: number) => LoadRequest];

/** Requests at two sites, with many other sites and people beside them and without. */
export const crowd: Suite = async ({ stack, arguments: wanted, step, hold }) => {
  const sites = scaled(wanted, SITES, MEASURED + 1);
  const each = scaled(wanted, PEOPLE_OF_EACH);
  const site = benchSite(stack);
  const [authUrl, schoolUrl, learnerUrl] = (['auth', 'school', 'learner'] as const).map((name) =>
    stack.databaseUrl(name),
  ) as [string, string, string];
  const fill = (siteIds: readonly string[]): Promise<void> =>
    step(`load ${siteIds.length} sites with ${each} people each`, async () => {
      const people: Crowd = { siteIds, each };
      await fillPeople(authUrl, people);
      await fillStudents(schoolUrl, people);
      await fillLearners(learnerUrl, people);
    });

  const operators = await fillOperators(authUrl, { site, sites: 1, owners: OWNERS, scope: SCOPE });
  // A starting auth publishes all sites.
  await stack.restart('auth');
  await untilMembersArrived(learnerUrl, membersOf(site));
  const members = await step('sign members in', () => signInMembers(site));
  await fill([site.site_id, operators[0]!.site_id]);
  const twins = await step('start second services on copies of that', async () => {
    const started = [];
    for (const service of SERVICES) {
      const [copy = ''] = await copyDatabase(stack, service, [`bench_quiet_${DATABASES[service]}`]);
      started.push(await startTwin(stack, service, copy));
    }
    return started;
  });
  const others = await fillOperators(authUrl, { site, sites: sites - MEASURED, owners: 1 });
  await stack.restart('auth');
  await fill(others.map(({ site_id }) => site_id));
  const people = sites * each;
  hold({ sites, people });

  const serviceOf = (name: string) => stack.services.find((service) => service.name === name)!;
  await untilServed(stack, operators);
  const { INTROSPECTION_CLIENT_ID: id = '', INTROSPECTION_CLIENT_SECRET: secret = '' } =
    stack.environment('member-api');
  const { host } = new URL(site.base_url);
  const list =
    (query: string) =>
    (n: number): LoadRequest => {
      const operator = operators[n % operators.length]!;
      const headers = { host: operator.host, authorization: `Bearer ${operator.token}` };
      return { method: 'GET', path: `/api/v1/${query}`, headers };
    };
  const tokenOf = (n: number): string => members[n % members.length]!.token;
  const kinds: readonly Kind[] = [
    [
      'introspection',
      'auth',
      (n) => ({
        method: 'POST',
        path: '/api/oauth/introspect',
        headers: { ...FORM, host },
        body: new URLSearchParams({ token: tokenOf(n), client_id: id, client_secret: secret }).toString(),
      }),
    ],
    [
      'viewer',
      'member-api',
      (n) => ({
        method: 'POST',
        path: '/member/graphql',
        headers: { host, authorization: `Bearer ${tokenOf(n)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: VIEWER }),
      }),
    ],
    ['list students', 'admin-api', list('students?limit=20&sort=name')],
    ['search of a student', 'admin-api', list('students?q=person%2017')],
    ['list members', 'admin-api', list('members?limit=20')],
    ['search of a member', 'admin-api', list('members?q=crowd-17')],
  ];
  const slowdowns: Quantity[] = [];
  for (const [title, service, request] of kinds) {
    const many = async (n: number): Promise<unknown> => requireOk(serviceOf(service).internalUrl, request(n));
    const { origin } = twins[SERVICES.indexOf(service)]!;
    const value = await step(`${title} at both in turn`, () =>
      ratioOfMedians(scaled(wanted, REQUESTS), [many, (n) => requireOk(origin, request(n))]),
    );
    const sizes = [people, MEASURED * each].map((count) => count.toLocaleString('en')).join(' ÷ ');
    slowdowns.push(quantity(`p50 of ${title}, ${sizes} people`, '×', GOAL, value));
  }
  const weights = SERVICES.map((name) => {
    const memory = (residentMemory(serviceOf(name).pid!) ?? NaN) / 1024 ** 2;
    return quantity(`memory of ${name} with ${sites.toLocaleString('en')} sites`, 'MB', MEMORY_GOAL, memory);
  });
  for (const twin of twins) await twin.stop();
  return [...slowdowns, ...weights];
};

function quantity(title: string, unit: Quantity['unit'], goal: number, value: number): Quantity {
  return { suite: 'crowd', title, unit, goal, measure: () => Promise.resolve(value) };
}

async function requireOk(origin: string, request: LoadRequest): Promise<string> {
  const { status, body } = await exchange(origin, request);
  if (status !== 200 || body.includes('"errors"')) throw new Error(`${request.path}: ${status} ${body.slice(0, 500)}`);
  return body;
}
