import { benchSite, membersOf } from '../bench-stack.ts';
import type { ViewerConfiguration } from '../baselines/viewer.ts';
import { fillLearner } from '../data/learner.ts';
import { signInMembers, untilMembersArrived } from '../data/members.ts';
import type { Suite } from '../suite.ts';

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

/** As many connections as the service has. */
const POOL_SIZE = 10;

export const member: Suite = async ({ stack, arguments: { people }, step, startBaseline, hold }) => {
  const site = benchSite(stack);
  const databaseUrl = stack.databaseUrl('learner');
  await untilMembersArrived(databaseUrl, membersOf(site));
  await step(`load ${people} people`, async () => hold(await fillLearner(databaseUrl, site.site_id, people)));
  const members = await step('sign members in', () => signInMembers(site));
  const bare = await startBaseline('viewer', { databaseUrl, poolSize: POOL_SIZE } satisfies ViewerConfiguration);
  const service = stack.services.find(({ name }) => name === 'member-api')!;
  const { host } = new URL(site.base_url);
  const body = JSON.stringify({ query: VIEWER });
  return [
    {
      suite: 'member',
      title: 'viewer ÷ bare Fastify with one SQL',
      goal: 0.6,
      ours: {
        name: 'member-api, token checked',
        origin: service.internalUrl,
        requests: members.map(({ token }) => ({
          method: 'POST',
          path: '/member/graphql',
          headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body,
        })),
        facts: data,
        variesFrom: ',"extensions":',
        pid: () => service.pid!,
      },
      baseline: {
        name: 'bare Fastify, no token',
        origin: bare.origin,
        requests: members.map(({ person_id }) => ({
          method: 'GET',
          path: '/viewer',
          headers: { person: person_id, site: site.site_id },
        })),
        facts: data,
        pid: () => bare.pid,
      },
    },
  ];
};

function data(body: unknown): unknown {
  const answer = body as { data?: { viewer?: { enrolledCourses?: { nodes?: unknown[] } } }; errors?: unknown };
  if (answer.errors !== undefined || !answer.data?.viewer?.enrolledCourses?.nodes?.length)
    throw new Error(`No viewer with courses: ${JSON.stringify(body).slice(0, 500)}`);
  return answer.data;
}
