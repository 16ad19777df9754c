import { postEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';

let api: TestApi;
let database: pg.Client;
let site_id: string;
/** One member of each kind, by person. */
const members = {
  subscriber: uuidv7(),
  former: uuidv7(),
  buyer: uuidv7(),
  both: uuidv7(),
  free: uuidv7(),
  ended: uuidv7(),
  imported: uuidv7(),
  byHand: uuidv7(),
  unknown: uuidv7(),
  foreign: uuidv7(),
  other: uuidv7(),
};

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  ({ site_id } = api.sites[0]);
  const { course_id } = await api.world.course({ site_id });
  for (const person_id of Object.values(members)) {
    await database.query(
      `INSERT INTO memberships (person_id, site_id, version, roles, joined_at) VALUES ($1, $2, 1, '{student}', now())`,
      [person_id, site_id],
    );
  }
  const subscribe = (person_id: string, state: string) =>
    database.query(
      `INSERT INTO subscriptions (subscription_id, site_id, person_id, plan_id, epoch, version, state)
       VALUES (uuidv7(), $1, $2, uuidv7(), 1, 1, $3)`,
      [site_id, person_id, state],
    );
  await subscribe(members.subscriber, 'active');
  await subscribe(members.both, 'past_due');
  await subscribe(members.former, 'canceled');
  const expired = '2026-01-02T00:00:00.000Z';
  await api.world.enrollment({ site_id, person_id: members.buyer, course_id, source: 'purchase' });
  await api.world.enrollment({ site_id, person_id: members.both, course_id, source: 'membership' });
  await api.world.enrollment({ site_id, person_id: members.free, course_id, source: 'free' });
  await api.world.enrollment({ site_id, person_id: members.ended, course_id, source: 'purchase', expires_at: expired });
  await api.world.enrollment({ site_id, person_id: members.imported, course_id, source: 'import' });
  await api.world.enrollment({ site_id, person_id: members.byHand, course_id, source: 'manual' });
  for (const person_id of [members.unknown, members.foreign])
    await api.world.enrollment({ site_id, person_id, course_id, source: 'purchase' });
  await eventually(async () => (await database.query('SELECT FROM enrollments')).rowCount === 8);
  const write = 'UPDATE enrollments SET source = $2 WHERE person_id = $1';
  // A row from before the column has no source.
  await database.query(write, [members.unknown, null]);
  await database.query(write, [members.foreign, 'gift']);
});
afterAll(() => api.stop());

/** Publishes a post of the site, and returns the members who are notified of it. */
async function notified(access_type: 'public_access' | 'login_required' | 'paid'): Promise<string[]> {
  const post_id = uuidv7();
  const post = { post_id, site_id, course_id: null, slug: `post-${post_id}`, title: 'Tides', excerpt: null };
  const published = { ...post, external_id: null, state: 'published', published_at: new Date().toISOString() } as const;
  await api.world.entity(postEvents, post_id, site_id, { ...published, access_type }, { name: 'published' });
  const ended = 'SELECT FROM fan_outs WHERE subject_id = $1 AND ended_at IS NOT NULL';
  await eventually(async () => (await database.query(ended, [post_id])).rowCount === 1);
  const { rows } = await database.query<{ person_id: string }>(
    'SELECT person_id FROM notifications WHERE subject_id = $1',
    [post_id],
  );
  const people = rows.map(({ person_id }) => person_id);
  return Object.entries(members).flatMap(([name, person_id]) => (people.includes(person_id) ? [name] : []));
}

it.each(['public_access', 'login_required'] as const)('notifies all members of a post with %s', async (access_type) => {
  expect(await notified(access_type)).toEqual(Object.keys(members));
});

it('notifies the members who paid of a paid post, and none whose enrollment has no known source', async () => {
  expect(await notified('paid')).toEqual(['subscriber', 'buyer', 'both', 'imported', 'byHand']);
});
