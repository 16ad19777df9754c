import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '@lyceum/local';
import { scaled } from '../arguments.ts';
import { benchSite, MEMBERS, membersOf } from '../bench-stack.ts';
import type { ResolverConfiguration } from '../baselines/viewer-resolvers.ts';
import type { ViewerConfiguration } from '../baselines/viewer.ts';
import { fillLearner } from '../data/learner.ts';
import { signInMembers, untilMembersArrived } from '../data/members.ts';
import { growthOfP50 } from '../growth.ts';
import type { BaselineProcess, Contender, LoadRequest, Suite } from '../suite.ts';
import { visibilityDelays } from './visibility.ts';

const VIEWER = /* GraphQL */ `
  {
    viewer {
      id
      name
      email
      schools {
        name
        roles
        isCurrent
      }
      enrolledCourses(first: 20) {
        nodes {
          slug
          expireDate
          hasLifetimeAccess
          lastWatchedLecture {
            lectureId
            positionSeconds
          }
        }
      }
      notifications(first: 20) {
        nodes {
          id
          title
          isRead
        }
      }
      unreadNotificationCount
    }
  }
`;

const GROWTH = 100;

/** The size of the service's connection pool. */
const POOL_SIZE = 10;
/** Fewer than the writes of a minute. */
const VISIBLE = 100;

export const member: Suite = async ({ stack, arguments: wanted, database, step, startBaseline, hold }) => {
  const site = benchSite(stack);
  const databaseUrl = stack.databaseUrl('learner');
  await untilMembersArrived(databaseUrl, membersOf(site));
  const fill = async (people: number): Promise<void> => hold(await fillLearner(databaseUrl, site.site_id, people));
  // Without the row of the growth, the database has all people from the start.
  const few = wanted.part === 'main' ? wanted.people : Math.max(2 * MEMBERS, Math.ceil(wanted.people / GROWTH));
  await step(`load ${few} people`, () => fill(few));
  const members = await step('sign members in', () => signInMembers(site));
  const configuration = { databaseUrl, poolSize: POOL_SIZE };
  const schema = readFileSync(join(WORKSPACE, 'dist/schema.graphql'), 'utf8');
  const withSchema = { ...configuration, schema } satisfies ResolverConfiguration;
  const [bare, apollo, mercurius] = await Promise.all([
    startBaseline('viewer', configuration satisfies ViewerConfiguration),
    startBaseline('nest-apollo', withSchema),
    startBaseline('mercurius', withSchema),
  ]);
  const service = stack.services.find(({ name }) => name === 'member-api')!;
  const { host } = new URL(site.base_url);
  const body = JSON.stringify({ query: VIEWER });
  const getWith = (more: Readonly<Record<string, string>>, path: string): LoadRequest => ({
    method: 'POST',
    path,
    headers: { ...more, 'content-type': 'application/json' },
    body,
  });
  const ours: Contender = {
    name: 'member-api, token checked',
    origin: service.internalUrl,
    requests: members.map(({ token }) => getWith({ host, authorization: `Bearer ${token}` }, '/member/graphql')),
    facts: data,
    variesFrom: ',"extensions":',
    pid: () => service.pid!,
  };
  const baseline = (name: string, { origin, pid }: BaselineProcess, requests: readonly LoadRequest[]): Contender => ({
    name,
    origin,
    requests,
    facts: data,
    pid: () => pid,
  });
  const believed = members.map(({ person_id, member_id }) => ({
    person: person_id,
    member: member_id,
    site: site.site_id,
  }));
  const resolved = believed.map((headers) => getWith(headers, '/graphql'));
  return [
    {
      suite: 'member',
      title: `p50 of viewer with ${GROWTH} times the people`,
      unit: '×',
      goal: 1.2,
      measure: () => growthOfP50(ours, () => fill(wanted.people), { ...wanted, database }),
    },
    {
      suite: 'member',
      title: 'viewer ÷ bare Fastify with one SQL',
      goal: 0.6,
      ours,
      baseline: baseline(
        'bare Fastify, no token',
        bare,
        believed.map((headers) => ({ method: 'GET', path: '/viewer', headers })),
      ),
    },
    {
      suite: 'member',
      title: 'viewer ÷ Nest + Apollo with resolvers',
      goal: 2.2,
      ours,
      baseline: baseline('Nest + Apollo, no token', apollo, resolved),
    },
    {
      suite: 'member',
      title: 'viewer ÷ Mercurius with JIT and resolvers',
      goal: 1.3,
      ours,
      baseline: baseline('Mercurius, no token', mercurius, resolved),
    },
    {
      suite: 'member',
      title: 'event of the school → visible in viewer',
      goal: 200,
      samples: () => visibilityDelays(stack, members[0]!, { times: scaled(wanted, VISIBLE) }),
    },
  ];
};

function data(body: unknown): unknown {
  const response = body as { data?: { viewer?: { enrolledCourses?: { nodes?: unknown[] } } }; errors?: unknown };
  if (response.errors !== undefined || !response.data?.viewer?.enrolledCourses?.nodes?.length)
    throw new Error(`No viewer with courses: ${JSON.stringify(body).slice(0, 500)}`);
  return response.data;
}
