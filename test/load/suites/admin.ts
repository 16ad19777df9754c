import { scaled } from '../arguments.ts';
import type { CoursesConfiguration } from '../baselines/courses.ts';
import { courseIds } from '../data/courses.ts';
import type { Operator } from '../data/operators.ts';
import { ASKED_BEFORE } from '../measure.ts';
import { copyDatabase } from '../twin.ts';
import type { Contender, LoadRequest, Suite } from '../suite.ts';
import { courseGrowth } from './course-growth.ts';
import { createCourses, readCourses } from './course-requests.ts';
import { servedOperators, untilServed } from './served-operators.ts';

/**
 * Quotas count per person and client, and per site. These can read 384,000 and write 128,000 times a minute: 32 sites
 * met their quotas on a quick machine.
 */
const SITES = 64;
const LEAST_SITES = 4;
const OWNERS = 10;
const COURSES = 100;
/** Courses of each site that `get` reads, and those of them that one operator reads. */
const READ = 30;
const READ_BY_ONE = 3;
/**
 * Requests in a row with one token. Both servers keep an introspection result for 4.5 seconds. If each request came
 * with another token, the slower server would introspect more often. A client at its quota sends 45 requests in that
 * time.
 */
const IN_A_ROW = 32;
/** New courses for each second: more than any server here creates. */
const SUPPLY = 2_000;
/** The size of the service's connection pool. */
const POOL_SIZE = 10;

/** Compares the operator API with a bare server that checks the same tokens, and with itself at more rows. */
export const admin: Suite = async (bench) => {
  const { stack, arguments: wanted, step, startBaseline, hold } = bench;
  const sites = scaled(wanted, SITES, LEAST_SITES);
  const courses = (n: number): number => (n === 0 ? 0 : COURSES);
  const all = await step(`load ${sites + 1} sites with ${OWNERS} operators each`, () =>
    servedOperators(stack, { sites: sites + 1, owners: OWNERS, courses }),
  );
  const growing = all[0]?.site_id;
  const operators = all.filter(({ site_id }) => site_id !== growing);
  hold({ 'courses at each of the sites of operators': COURSES });
  const copies = ['bench_bare', ...(wanted.part === 'main' ? [] : ['bench_few', 'bench_many'])];
  const [bareDatabase = '', few, many] = await step('copy the school database', () =>
    copyDatabase(stack, 'admin-api', copies),
  );
  const service = stack.services.find(({ name }) => name === 'admin-api')!;
  const auth = stack.services.find(({ name }) => name === 'auth')!;
  await untilServed(stack, all);
  const owners = all.filter(({ site_id }) => site_id === growing);
  // Applying the events of new courses is work of another service, which has its own machine.
  await stack.halt('member-api');
  const growth = few && many ? await courseGrowth(bench, { few, many, owners }) : [];

  const environment = stack.environment('admin-api');
  const bare = await startBaseline('courses', {
    databaseUrl: bareDatabase,
    poolSize: POOL_SIZE,
    introspection: {
      url: `${auth.internalUrl}/api/oauth/introspect`,
      clientId: environment['INTROSPECTION_CLIENT_ID'] ?? '',
      clientSecret: environment['INTROSPECTION_CLIENT_SECRET'] ?? '',
      sites: Object.fromEntries(all.map(({ host, site_id }) => [`https://${host}`, site_id])),
    },
  } satisfies CoursesConfiguration);
  const gets = await getRequests(stack.databaseUrl('school'), operators);
  const sides = (requests: readonly LoadRequest[], response: Pick<Contender, 'facts' | 'variesIn'>) => ({
    ours: { name: 'admin-api', origin: service.internalUrl, requests, ...response, pid: () => service.pid! },
    baseline: { name: 'bare Fastify, token checked', origin: bare.origin, requests, ...response, pid: () => bare.pid },
  });
  return [
    {
      suite: 'admin',
      title: 'get course ÷ bare Fastify with the same SQL',
      goal: 0.6,
      ...sides(gets, { facts: (body) => body }),
    },
    {
      suite: 'admin',
      title: 'list courses ÷ bare Fastify with the same SQL',
      goal: 0.6,
      ...sides(
        operators.flatMap((operator) => inARow([readCourses(operator, '?limit=20')])),
        { facts: pageFacts },
      ),
    },
    {
      suite: 'admin',
      title: 'create course ÷ bare Fastify with the same inserts',
      goal: 0.5,
      once: true,
      ...sides(createCourses(operators, ASKED_BEFORE + Math.ceil(SUPPLY * wanted.seconds) * (wanted.rounds + 1)), {
        facts: createdFacts,
        variesIn: ['id', 'slug', 'created_at', 'updated_at'],
      }),
    },
    ...growth,
  ];
};

async function getRequests(databaseUrl: string, operators: readonly Operator[]): Promise<LoadRequest[]> {
  const courses = new Map<string, string[]>();
  for (const { site_id } of operators)
    if (!courses.has(site_id)) courses.set(site_id, await courseIds(databaseUrl, site_id, COURSES, READ));
  return operators.flatMap((operator, n) => {
    const ids = courses.get(operator.site_id)!;
    const own = Array.from({ length: READ_BY_ONE }, (_, index) => ids[(n * READ_BY_ONE + index) % READ]!);
    return inARow(own.map((id) => readCourses(operator, `/${id}`)));
  });
}

/** The requests in order, each operator sending several in a row. */
function inARow(requests: readonly LoadRequest[]): LoadRequest[] {
  return Array.from({ length: IN_A_ROW }, (_, n) => requests[n % requests.length]!);
}

/** The cursor is opaque: ours is signed, that of the baseline is not. */
function pageFacts(body: unknown): unknown {
  const { data, page } = body as { data: readonly unknown[]; page: Record<string, unknown> };
  if (data.length === 0) throw new Error('The list is empty');
  return { data, page: { ...page, next_cursor: typeof page['next_cursor'] } };
}

function createdFacts(body: unknown): unknown {
  const { id, created_at, updated_at, ...course } = body as Record<string, unknown>;
  return { ...course, made: [id, created_at, updated_at].every((value) => typeof value === 'string') };
}
