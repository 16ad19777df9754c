import { randomUUID } from 'node:crypto';
import { eventually, mintToken } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { graphql } from '../clients/http.js';
import { connectAs } from '../security/tools/nats.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

const [site] = systemStack().sites;
const COURSE = 'celestial-navigation';
/** The third of eight lectures of the demo; the first two are completed. */
const LECTURE = 'celestial-navigation-how-to-hold-a-sextant';
const VIEWER = /* GraphQL */ `
  {
    viewer {
      enrolledCourses(first: 50) {
        nodes {
          slug
          completionRate
          lastWatchedLecture {
            title
            positionSeconds
            watchedAt
          }
        }
      }
    }
  }
`;

interface Course {
  readonly slug: string;
  readonly completionRate: number;
  readonly lastWatchedLecture: { readonly title: string; readonly positionSeconds: number; readonly watchedAt: string };
}

let storefront: NatsConnection;
let token: string;

beforeAll(async () => {
  storefront = await connectAs('storefront');
  const client = clientOf(site!, 'member', 'public');
  const scope = 'openid account:read';
  token = (await mintToken({ site: site!, ...personOf(site!, 'student'), ...client, scope })).access_token;
});
afterAll(() => storefront?.close());

async function course(): Promise<Course | undefined> {
  const { body } = await graphql<{ viewer: { enrolledCourses: { nodes: Course[] } } }>(site!.base_url, token, VIEWER);
  return body.data?.viewer.enrolledCourses.nodes.find(({ slug }) => slug === COURSE);
}

it('shows a member the progress that the storefront has recorded', async () => {
  const made = await eventually(course, (found) => found?.lastWatchedLecture !== null && found !== undefined);
  expect(made).toMatchObject({ completionRate: 0.25, lastWatchedLecture: { positionSeconds: 754 } });
  const occurred_at = new Date().toISOString();
  const command = {
    idempotency_key: randomUUID(),
    site: site!.org_id,
    student: { member_id: personOf(site!, 'student').member_id },
    course: { external_id: COURSE },
    lecture: { external_id: LECTURE },
    position_seconds: 1080,
    completed: true,
    occurred_at,
  };
  const reply = await storefront.request('commands.school.progress.record.v1', JSON.stringify(command), {
    timeout: 10_000,
  });
  expect(reply.json()).toMatchObject({ ok: true, result: { completion_rate: 0.375, completed_at: null } });
  const seen = await eventually(
    course,
    (found) => found?.completionRate === 0.375 && found.lastWatchedLecture.positionSeconds === 1080,
  );
  expect(seen?.lastWatchedLecture).toEqual({
    title: 'How to hold a sextant',
    positionSeconds: 1080,
    watchedAt: occurred_at,
  });
});
