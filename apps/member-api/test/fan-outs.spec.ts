import { postEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import type pg from 'pg';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import type { ClaimedFanOut } from '#src/fan-outs/fan-outs.queue.js';
import type { Job } from '@lyceum/jobs';
import { eventually } from '@lyceum/testing';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { lecture, section } from './world.js';
import type { Announcement } from './world.js';

const INBOX = `{ viewer { unreadNotificationCount notifications(first: 100) { nodes {
  kind title body url subject { __typename ... on Post { slug title } ... on EnrolledCourse { slug } }
} } } }`;
const CROWD = 1_200;

let api: TestApi;
let database: pg.Client;
let site_id: string;
let course_id: string;
let ada: string;

beforeAll(async () => {
  api = await startMemberApi();
  await api.replica();
  database = await api.connect();
  ({ site_id } = api.sites[0]);
  ada = api.student().person_id;
  await api.world.person({ person_id: ada });
  await api.world.role({ person_id: ada, site_id });
  ({ course_id } = await api.world.course({ site_id, slug: 'knots' }));
  await api.world.enrollment({ site_id, person_id: ada, course_id });
  await api.until(INBOX, ({ viewer }) => viewer?.unreadNotificationCount === 1);
  // More members and enrollments than fit in two batches, and some members at the other site.
  await database.query(
    `INSERT INTO memberships (person_id, site_id, version, roles, joined_at)
     SELECT uuidv7(), CASE WHEN n > $2::int THEN $3::uuid ELSE $1 END, 1, '{student}', now() FROM generate_series(1, $2 + 10) n`,
    [site_id, CROWD, api.sites[1].site_id],
  );
  await database.query(
    `INSERT INTO enrollments (enrollment_id, site_id, person_id, course_id, version, state, started_at, completion_rate, announced_at)
     SELECT uuidv7(), site_id, person_id, $1, 1, 'active', now(), 0, now() FROM memberships WHERE person_id <> $2`,
    [course_id, ada],
  );
});
afterAll(() => api.stop());

const now = (): string => new Date().toISOString();
const newest = (data: Data): Data => data.viewer.notifications.nodes[0];
const notified = (title: string) => api.until(INBOX, (data) => newest(data)?.title === title);

async function count(text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${text}`, values);
  return rows[0]?.n ?? -1;
}

/** Waits until the batches of an occasion are done. */
const done = (occasion: string): Promise<number> =>
  eventually(() => count('fan_outs WHERE occasion = $1 AND ended_at IS NOT NULL', [occasion]));

/** At once: a consumer could be later than the fan-out. */
async function enrollAda(course: string): Promise<void> {
  await database.query(
    `INSERT INTO enrollments (enrollment_id, site_id, person_id, course_id, version, state, started_at, completion_rate, announced_at)
     VALUES (uuidv7(), $1, $2, $3, 1, 'active', now(), 0, now())`,
    [site_id, ada, course],
  );
}

async function announce(given: Partial<Announcement> = {}): Promise<string> {
  const sent = await api.world.announcement({ site_id, body: 'It is a holiday.', path: '/news', ...given });
  return `announcement:${sent.announcement_id}`;
}

describe('notifications of school events', () => {
  it('sends a post of a course', async () => {
    const post_id = uuidv7();
    const post = { post_id, site_id, course_id, slug: 'tides', title: 'Tides', excerpt: 'High and low.' };
    const data = { ...post, state: 'published' as const, published_at: now() };
    await api.world.entity(postEvents, post_id, site_id, data);
    const inbox = await notified('Tides');
    const notification = {
      kind: 'COURSE_POST_PUBLISHED',
      title: 'Tides',
      body: 'High and low.',
      url: null,
      subject: { __typename: 'Post', slug: 'tides', title: 'Tides' },
    };
    expect(newest(inbox)).toEqual(notification);
    // A failing part makes the resolvers read the query; the notification is the same.
    const { body } = await api.query(
      INBOX.replace('{ viewer {', '{ viewer { enrolledCourses(after: "x") { totalCount }'),
    );
    expect(newest(body.data)).toEqual(notification);
    await api.world.entity(postEvents, post_id, site_id, { ...data, state: 'draft' }, { version: 2 });
    await api.until(INBOX, (after) => newest(after).subject === null);
  });

  it('sends a post of the site when it is published, and not while it is scheduled', async () => {
    const post_id = uuidv7();
    const post = { post_id, site_id, course_id: null, slug: 'moon', title: `Moon ${post_id}`, excerpt: 'Full.' };
    const before = await count('fan_outs');
    const scheduled = { ...post, state: 'scheduled', published_at: now() } as const;
    await api.world.entity(postEvents, post_id, site_id, scheduled, { version: 1, name: 'scheduled' });
    await done(await announce({ title: `After ${post_id}` }));
    expect(await count('fan_outs')).toBe(before + 1);
    const published = { ...scheduled, state: 'published' } as const;
    await api.world.entity(postEvents, post_id, site_id, published, { version: 2, name: 'published' });
    expect(newest(await notified(post.title))).toMatchObject({
      kind: 'POST_PUBLISHED',
      body: 'Full.',
      url: null,
      subject: { __typename: 'Post', slug: 'moon' },
    });
    await done(`post:${post_id}`);
    expect(await count('notifications WHERE occasion = $1', [`post:${post_id}`])).toBe(CROWD + 1);
  });

  it('sends a lecture of a course', async () => {
    const bowline = lecture('bowline', { title: 'Bowline', published_at: now() });
    await api.world.curriculum({ site_id, course_id, part_id: bowline.lecture_id, sections: [section([bowline])] });
    expect(newest(await notified('New lecture: Bowline'))).toEqual({
      kind: 'LECTURE_PUBLISHED',
      title: 'New lecture: Bowline',
      body: null,
      url: null,
      subject: { __typename: 'EnrolledCourse', slug: 'knots' },
    });
  });

  it('skips old, draft and repeated announcements', async () => {
    const before = await count('fan_outs');
    await announce({ sent_at: '2026-01-01T00:00:00.000Z' });
    await announce({ state: 'draft', sent_at: null });
    const title = `Once ${uuidv7()}`;
    const occasion = await announce({ title });
    await notified(title);
    const [, announcement_id = ''] = occasion.split(':');
    for (const name of ['updated', 'republished'])
      await api.world.announcement({ site_id, announcement_id, title }, { version: 2, name });
    // A restore of this service's database can have lost what it sent.
    await api.world.announcement({ site_id, title }, { name: 'republished' });
    await done(await announce({ title: `After ${title}` }));
    expect(await count('fan_outs')).toBe(before + 2);
    expect(await count(`notifications WHERE person_id = $1 AND parameters->>'title' = $2`, [ada, title])).toBe(1);
  });
});

describe('a message to many', () => {
  it('reaches every member of the site once across replicas, and no member of another site', async () => {
    const occasion = await announce();
    await done(occasion);
    expect(await count('notifications WHERE occasion = $1 AND site_id = $2', [occasion, site_id])).toBe(CROWD + 1);
    expect(await count('notifications WHERE occasion = $1', [occasion])).toBe(CROWD + 1);
    expect(await count('outbound_mails WHERE occasion = $1', [occasion])).toBe(CROWD + 1);
    const wrong = `inbox_counts i WHERE unread <>
      (SELECT count(*) FROM notifications n WHERE n.site_id = i.site_id AND n.person_id = i.person_id AND read_at IS NULL)`;
    expect(await count('inbox_counts')).toBeGreaterThan(CROWD);
    expect(await count(wrong)).toBe(0);
  });

  it('reaches only enrolled members with an announcement of a course', async () => {
    await database.query(
      `UPDATE enrollments SET state = 'revoked' WHERE course_id = $1 AND person_id <> $2 AND enrollment_id IN
         (SELECT enrollment_id FROM enrollments WHERE site_id = $3 AND person_id <> $2 LIMIT 7)`,
      [course_id, ada, site_id],
    );
    const occasion = await announce({ course_id });
    await done(occasion);
    expect(await count('notifications WHERE occasion = $1', [occasion])).toBe(CROWD + 1 - 7);
  });

  it('reaches each member with a live subscription to a plan once', async () => {
    const plan_id = uuidv7();
    const subscribe = (where: string, state: string, plan = plan_id) =>
      database.query(
        `INSERT INTO subscriptions (subscription_id, site_id, person_id, plan_id, epoch, version, state)
         SELECT uuidv7(), site_id, person_id, $1, 1, 1, $2 FROM memberships WHERE ${where}`,
        [plan, state],
      );
    const own = `site_id = '${site_id}' AND person_id <> '${ada}'`;
    await subscribe(`${own} ORDER BY person_id LIMIT 700`, 'active');
    await subscribe(`${own} ORDER BY person_id LIMIT 5`, 'past_due');
    await subscribe(`${own} ORDER BY person_id DESC LIMIT 3`, 'expired');
    await subscribe(`${own} ORDER BY person_id DESC LIMIT 3`, 'active', uuidv7());
    await subscribe(`site_id <> '${site_id}' LIMIT 3`, 'active');
    await subscribe(`site_id = '${site_id}' AND person_id = '${ada}'`, 'trialing');
    const occasion = await announce({ membership_plan_id: plan_id });
    await done(occasion);
    expect(await count('notifications WHERE occasion = $1', [occasion])).toBe(701);
  });

  it('sends advertising only to members who subscribed to it', async () => {
    const { rows } = await database.query<{ person_id: string }>(
      'SELECT person_id FROM memberships WHERE site_id = $1 AND person_id <> $2 LIMIT 3',
      [site_id, ada],
    );
    for (const [index, { person_id }] of rows.entries()) {
      await database.query(
        `INSERT INTO notification_subscriptions VALUES ($1, $2, 'marketing', NULL, 1, true, $3, $4, now())`,
        [site_id, person_id, index < 2, index > 0],
      );
    }
    const occasion = await announce({ purpose: 'marketing' });
    await done(occasion);
    expect(await count('notifications WHERE occasion = $1', [occasion])).toBe(2);
    expect(await count('outbound_mails WHERE occasion = $1', [occasion])).toBe(2);
  });

  it('delays an announcement of an unpublished course', async () => {
    const draft = await api.world.course({ site_id, state: 'draft' });
    await api.world.enrollment({ site_id, person_id: ada, course_id: draft.course_id });
    const title = `Soon ${uuidv7()}`;
    const occasion = await announce({ course_id: draft.course_id, title });
    await done(await announce());
    expect(await count('fan_outs WHERE occasion = $1 AND ended_at IS NULL', [occasion])).toBe(1);
    await api.world.course({ ...draft, state: 'published' }, { version: 2, name: 'published' });
    await done(occasion);
    expect(await count(`notifications WHERE person_id = $1 AND parameters->>'title' = $2`, [ada, title])).toBe(1);
  });

  it('waits for a course whose event is late, and reaches the members enrolled in it', async () => {
    const late = uuidv7();
    await enrollAda(late);
    const title = `Late ${uuidv7()}`;
    const occasion = await announce({ course_id: late, title });
    await done(await announce());
    expect(await count('fan_outs WHERE occasion = $1 AND ended_at IS NULL', [occasion])).toBe(1);
    await api.world.course({ site_id, course_id: late });
    await done(occasion);
    expect(await count(`notifications WHERE person_id = $1 AND parameters->>'title' = $2`, [ada, title])).toBe(1);
  });

  /** Adds a fan-out of a lecture, which is in no curriculum. */
  async function addLecture(course_id: string, wait: string): Promise<string> {
    const occasion = `lecture:${uuidv7()}`;
    await database.query(
      `INSERT INTO fan_outs (site_id, occasion, kind, audience, audience_id, parameters, created_at, due_at)
       VALUES ($1, $2, 'lecture_published', 'course', $3, '{"lecture":"x"}', now(), now() + $4::interval)`,
      [site_id, occasion, course_id, wait],
    );
    return occasion;
  }

  it('waits again when the course is missing after a replica took the job', async () => {
    const occasion = await addLecture(uuidv7(), '1 hour');
    const { rows } = await database.query<Job<ClaimedFanOut>>(
      'SELECT *, due_at::text AS lease FROM fan_outs WHERE occasion = $1',
      [occasion],
    );
    const [job] = rows;
    if (job === undefined) throw new Error('The fan-out is missing');
    await api.service.app.get(FanOutsService, { strict: false }).deliver(job, 500);
    expect(await count('fan_outs WHERE occasion = $1 AND ended_at IS NULL', [occasion])).toBe(1);
  });

  it('ends with a deleted course, and never takes a course of another site for it', async () => {
    const gone = await api.world.course({ site_id, state: 'deleted' });
    const foreign = await api.world.course({ site_id: api.sites[1].site_id });
    for (const one of [gone, foreign]) await enrollAda(one.course_id);
    const deleted = await announce({ course_id: gone.course_id });
    const waiting = await announce({ course_id: foreign.course_id });
    await done(deleted);
    await done(await addLecture(gone.course_id, '0'));
    await done(await announce());
    expect(await count('notifications WHERE occasion = ANY($1)', [[deleted, waiting]])).toBe(0);
    expect(await count('fan_outs WHERE occasion = $1 AND ended_at IS NULL', [waiting])).toBe(1);
  });

  it('takes turns between sites, so that a small fan-out is not delayed', async () => {
    await database.query(
      `INSERT INTO fan_outs (site_id, occasion, kind, audience, parameters, created_at, due_at)
       VALUES ($1, 'big', 'announcement_sent', 'site', '{"title":"Big","body":null}', now(), now() - interval '1 second'),
              ($2, 'small', 'announcement_sent', 'site', '{"title":"Small","body":null}', now(), now())`,
      [site_id, api.sites[1].site_id],
    );
    await done('big');
    const { rows } = await database.query<{ occasion: string }>(
      `SELECT occasion FROM fan_outs WHERE occasion IN ('big', 'small') AND ended_at IS NOT NULL ORDER BY ended_at`,
    );
    expect(rows.map(({ occasion }) => occasion)).toEqual(['small', 'big']);
    expect(await count(`notifications WHERE occasion = 'small'`)).toBe(10);
  });
});
