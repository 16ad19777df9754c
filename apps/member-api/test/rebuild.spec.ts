import { courseEvents, postEvents, republicationSubject } from '@lyceum/contracts';
import { UsageError, uuidv7 } from '@lyceum/platform';
import { connectAs, eventually } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type pg from 'pg';
import { memberApi } from '#src/member-api.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import { attachment, lecture, section } from './world.js';

const QUERY = `{ viewer { name schools { id } unreadNotificationCount
  enrolledCourses(first: 100) { totalCount nodes { id slug name } }
  digitalProducts { nodes { id slug downloadCount } } eventRegistrations { nodes { id slug } }
  consultingServices { nodes { id slug bookings { nodes { id } } } }
} }`;
/** Tables by read model, with the text columns that the tests corrupt. */
const READ_MODELS: Readonly<Record<string, readonly string[]>> = {
  schools: ['sites'],
  people: ['people', 'memberships'],
  'enrolled-courses': ['courses', 'enrollments'],
  'digital-products': ['digital_products', 'digital_product_grants'],
  'consulting-services': ['consulting_services', 'consulting_purchases', 'consulting_bookings'],
  'event-registrations': ['events', 'event_registrations'],
  posts: ['posts'],
  curricula: ['curricula'],
  'lecture-attachments': ['lecture_attachments'],
  texts: ['texts'],
  progress: ['lecture_progress'],
  subscriptions: ['subscriptions'],
};

/** The epoch of a database that was restored once. */
const EPOCH = 7;

let api: TestApi;
let world: PurchaseWorld;
let database: pg.Client;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  api.world.epoch = EPOCH;
  world = new PurchaseWorld(api.world);
  database = await api.connect();
  const [{ site_id, base_url, host, name, slug, org_id }] = api.sites;
  member = { site_id, person_id: api.student().person_id };
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active' });
  await api.world.person({ person_id: member.person_id });
  await api.world.role(member);
  for (let n = 0; n < 5; n += 1) await enroll(`course-${n}`);
  const { digital_product_id } = await world.product({ site_id });
  await world.grant({ ...member, digital_product_id });
  const { consulting_service_id } = await world.service({ site_id });
  const { purchase_id } = await world.purchase({ ...member, consulting_service_id });
  await world.booking({ ...member, consulting_service_id, purchase_id });
  const { event_id } = await world.event({ site_id });
  await world.registration({ ...member, event_id });
  const post = { post_id: uuidv7(), site_id, course_id: null, slug: 'tides', title: 'Tides', excerpt: null };
  const published_at = '2026-01-01T00:00:00.000Z';
  await api.world.entity(postEvents, post.post_id, site_id, { ...post, state: 'published', published_at });
  const { course_id } = await api.world.course({ site_id, slug: 'knots' });
  const bowline = lecture('bowline');
  await api.world.curriculum({ site_id, course_id, sections: [section([bowline])] });
  const { lecture_id } = bowline;
  await api.world.attachments({ site_id, course_id, lecture_id, attachments: [attachment('Chart')] });
  const text = { owner_id: lecture_id, kind: 'lecture_content', course_id, site_id, html: '<p>Tie.</p>' } as const;
  await api.world.text({ ...text, piece: { index: 0, count: 1 } });
  await world.subscription(member);
  for (const [version, watched_at] of ['2026-02-02T00:00:00.000Z', '2026-02-02T00:01:00.000Z'].entries()) {
    const step = { ...member, course_id, lecture_id: course_id, watched_at };
    await api.world.progress(step, { version: version + 1 });
  }
  await api.until(QUERY, isComplete);
  // Too old for a notification, so courses and notifications have the same number.
  const written =
    'SELECT FROM posts, subscriptions, curricula, lecture_attachments, texts, lecture_progress p WHERE p.version = 2';
  await eventually(async () => (await database.query(written)).rows.length > 0);
});
afterAll(() => api.stop());

/** A course and an enrollment, each in two versions. */
async function enroll(slug: string): Promise<void> {
  const course = await api.world.course({ site_id: member.site_id, slug, name: 'First name' });
  const started_at = new Date().toISOString();
  const enrollment = await api.world.enrollment({ ...member, course_id: course.course_id, started_at });
  await api.world.course({ ...course, name: `Name of ${slug}` }, { version: 2, name: 'updated' });
  await api.world.enrollment({ ...enrollment, completion_rate: 0.5 }, { version: 2, name: 'extended' });
}

const isComplete = ({ viewer }: Data): boolean =>
  viewer?.schools.length === 1 &&
  viewer.unreadNotificationCount >= 5 &&
  viewer.enrolledCourses.nodes.every(({ slug, name }: Data) => name === `Name of ${slug}`) &&
  viewer.digitalProducts.nodes.length === 1 &&
  viewer.eventRegistrations.nodes.length === 1 &&
  viewer.consultingServices.nodes[0]?.bookings.nodes.length === 1;

/** All rows of the tables, ordered by their text, without `announced_at`, which is not part of the read model. */
async function rowsOf(tables: readonly string[]): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const table of tables) {
    const { rows } = await database.query<{ row: object }>(
      `SELECT to_jsonb(t) - 'announced_at' AS row FROM ${table} t ORDER BY t::text`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

const rebuild = (name?: string) => memberApi.commands?.['rebuild']?.run(api.config, name === undefined ? [] : [name]);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

it.each(Object.values(READ_MODELS).flat())('keeps the epoch of the events of %s', async (table) => {
  const { rows } = await database.query<{ epoch: number }>(`SELECT DISTINCT epoch::int FROM ${table}`);
  expect(rows.map(({ epoch }) => epoch)).toContain(EPOCH);
});

describe('rebuild', () => {
  it.each(Object.entries(READ_MODELS))('rebuilds %s from an empty table', async (readModel, tables) => {
    const before = await rowsOf(tables);
    for (const table of tables) {
      expect(before[table]?.length).toBeGreaterThan(0);
      await database.query(`DELETE FROM ${table}`);
    }
    await rebuild(readModel);
    expect(await rowsOf(tables)).toEqual(before);
  });

  it('repairs wrong, missing and surplus rows of any version, and changes nothing else', async () => {
    const tables = ['courses', 'enrollments'];
    const before = await rowsOf(tables);
    const [untouched] = before['courses'] as { course_id: string }[];
    await database.query(`UPDATE courses SET name = 'spoilt', version = 99 WHERE slug = 'course-1'`);
    await database.query(`UPDATE courses SET name = 'spoilt' WHERE slug = 'course-2'`);
    await database.query(
      `DELETE FROM enrollments WHERE course_id = (SELECT course_id FROM courses WHERE slug = 'course-3')`,
    );
    await database.query(
      `INSERT INTO courses SELECT $1, site_id, 1, 'extra', 'Extra', NULL, state FROM courses WHERE slug = 'course-4'`,
      [uuidv7()],
    );
    const place = async () =>
      (
        await database.query<{ ctid: string }>('SELECT ctid::text FROM courses WHERE course_id = $1', [
          untouched?.course_id,
        ])
      ).rows[0]?.ctid;
    const [where, unread] = [await place(), (await api.query(QUERY)).body.data.viewer.unreadNotificationCount];
    await rebuild('enrolled-courses');
    expect(await rowsOf(tables)).toEqual(before);
    expect(await place()).toBe(where);
    // A delivered notification is not sent again, even for enrollments whose row was missing.
    const [again] = (
      await database.query<{ course_id: string }>(`SELECT course_id FROM courses WHERE slug = 'course-3'`)
    ).rows;
    const course = { course_id: again?.course_id ?? '', site_id: member.site_id, slug: 'course-3' };
    await api.world.course({ ...course, name: 'Told again' }, { version: 3 });
    await api.until(QUERY, (data) => data.viewer.enrolledCourses.nodes.some(({ name }: Data) => name === 'Told again'));
    expect((await api.query(QUERY)).body.data.viewer.unreadNotificationCount).toBe(unread);
    await api.world.course({ ...course, name: 'Name of course-3' }, { version: 4 });
    await api.until(QUERY, isComplete);
  });

  it('serves reads during a rebuild and loses no concurrent event', async () => {
    const known = (await api.query(QUERY)).body.data.viewer.enrolledCourses.totalCount as number;
    const stop = new AbortController();
    let [responses, sent] = [0, 0];
    const reading = (async () => {
      while (!stop.signal.aborted) {
        const { data, errors } = (await api.query(QUERY)).body;
        expect(errors).toBeUndefined();
        expect(data.viewer.enrolledCourses.totalCount).toBeGreaterThanOrEqual(known);
        expect(data.viewer.digitalProducts.nodes).toHaveLength(1);
        responses += 1;
      }
    })();
    const writing = (async () => {
      while (!stop.signal.aborted) {
        await enroll(`meanwhile-${(sent += 1)}`);
        await api.until('{ viewer { enrolledCourses { totalCount } } }', ({ viewer }) => {
          return viewer.enrolledCourses.totalCount === known + sent;
        });
      }
    })();
    for (let turn = 0; turn < 3; turn += 1) await rebuild('enrolled-courses');
    await rebuild('digital-products');
    stop.abort();
    await Promise.all([reading, writing]);
    expect(responses).toBeGreaterThan(5);
    expect(sent).toBeGreaterThan(3);
    // Rows that the rebuild wrote before their consumer are announced too.
    await api.until(QUERY, (data) => data.viewer.unreadNotificationCount === known + sent && isComplete(data));
    const behind = `SELECT FROM enrollments e JOIN courses c USING (course_id)
      WHERE c.slug LIKE 'meanwhile-%' AND e.version = 1`;
    await eventually(async () => (await database.query(behind)).rowCount === 0);
    const after = await rowsOf(['courses', 'enrollments']);
    await rebuild('enrolled-courses');
    expect(same(await rowsOf(['courses', 'enrollments']), after)).toBe(true);
  });

  it('keeps the data of this service, such as download counts', async () => {
    const { rows } = await database.query<{ grant_id: string }>('SELECT grant_id FROM digital_product_grants');
    await database.query('INSERT INTO digital_product_downloads VALUES ($1, $2, 7, now())', [
      rows[0]?.grant_id,
      member.site_id,
    ]);
    await rebuild('digital-products');
    expect((await api.query(QUERY)).body.data.viewer.digitalProducts.nodes).toMatchObject([{ downloadCount: 7 }]);
  });

  it('keeps the last playback, which several lectures have', async () => {
    const playbacks = await rowsOf(['playbacks']);
    expect(playbacks['playbacks']).toHaveLength(1);
    await database.query('DELETE FROM lecture_progress');
    await rebuild('progress');
    expect(await rowsOf(['playbacks'])).toEqual(playbacks);
  });

  it('skips an unreadable event', async () => {
    const admin = await connectAs(api.nats.environment('admin'));
    admin.publish('school.course.updated.v1', '{}');
    await admin.flush();
    await admin.close();
    const before = await rowsOf(['courses']);
    await rebuild('enrolled-courses');
    expect(await rowsOf(['courses'])).toEqual(before);
  });

  it('removes nothing from an incomplete stream, and still repairs the rows of its events', async () => {
    const admin = await connectAs(api.nats.environment('admin'));
    const { streams } = await jetstreamManager(admin);
    await streams.purge('SCHOOL');
    await admin.close();
    const before = await rowsOf(['courses']);
    await enroll('afterwards');
    const spoil = `UPDATE courses SET name = 'spoilt' WHERE slug = 'afterwards' AND version = 2`;
    await eventually(async () => (await database.query(spoil)).rowCount === 1);
    await api.until(QUERY, ({ viewer }) => viewer.enrolledCourses.nodes.some(({ name }: Data) => name === 'spoilt'));
    await rebuild('enrolled-courses');
    await api.until(QUERY, isComplete);
    expect((await rowsOf(['courses']))['courses']).toHaveLength((before['courses']?.length ?? 0) + 1);
  });

  it('restores all rows after the owner republishes its events', async () => {
    const admin = await connectAs(api.nats.environment('admin'));
    const { streams } = await jetstreamManager(admin);
    await streams.purge('SCHOOL');
    const { rows } = await database.query('SELECT course_id, site_id, slug, name, version FROM courses');
    const before = await rowsOf(['courses', 'enrollments']);
    // A restore of the school's database takes this course back.
    await api.world.course({ site_id: member.site_id, slug: 'lost' });
    await eventually(async () => (await database.query(`SELECT FROM courses WHERE slug = 'lost'`)).rowCount);
    const from = (await streams.info('SCHOOL')).state.last_seq + 1;
    for (const { version, ...course } of rows) await api.world.course(course, { version, name: 'republished' });
    await jetstream(admin).publish(republicationSubject(courseEvents), JSON.stringify({ from }));
    const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const tooMuch = async (): Promise<unknown[]> => {
      await database.query(
        `INSERT INTO courses SELECT $1, site_id, 1, 'extra', 'Extra', NULL, state FROM courses WHERE slug = 'course-4'`,
        [uuidv7()],
      );
      print.mockClear();
      await rebuild('enrolled-courses');
      return print.mock.calls.map(([line]) => JSON.parse(String(line)));
    };
    try {
      expect(await tooMuch()).toMatchObject([
        { table: 'courses', events: rows.length, removed: 2, whole: true },
        { table: 'enrollments', whole: false, next: expect.stringContaining('"republish enrollment" at admin-api') },
      ]);
      expect(await rowsOf(['courses', 'enrollments'])).toEqual(before);
      // The first event is lost too, so the rebuild only detects that events are missing.
      await streams.purge('SCHOOL', { seq: from + 1 });
      expect(await tooMuch()).toMatchObject([
        { table: 'courses', events: rows.length - 1, removed: 0, whole: false },
        { table: 'enrollments', whole: false },
      ]);
      expect((await rowsOf(['courses']))['courses']).toHaveLength(rows.length + 1);
    } finally {
      print.mockRestore();
      await admin.close();
      await database.query(`DELETE FROM courses WHERE slug = 'extra'`);
    }
  });

  it('lists the read models for an unknown argument', async () => {
    await expect(rebuild()).rejects.toThrow('enrolled-courses, event-registrations, lecture-attachments, people');
    await expect(rebuild('notifications')).rejects.toThrow('digital-products');
    await expect(rebuild()).rejects.toThrow(UsageError);
  });
});
