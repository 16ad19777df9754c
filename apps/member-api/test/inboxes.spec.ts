import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { RetentionWorker } from '#src/retention/retention.worker.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';

const MARK_ALL = `mutation ($input: MarkAllNotificationsReadInput) { markAllNotificationsRead(input: $input) {
  markedCount unreadNotificationCount userErrors { code } clientMutationId } }`;
const MARK = 'mutation ($id: ID!) { markNotificationRead(input: { notificationId: $id }) { unreadNotificationCount } }';
const COUNT = '{ viewer { unreadNotificationCount } }';
const FULL = 100_000;

let api: TestApi;
let database: pg.Client;
let site_id: string;
let person_id: string;

beforeAll(async () => {
  api = await startMemberApi({ NOTIFICATION_RETENTION_DAYS: '30' });
  await api.replica();
  database = await api.connect();
  ({ site_id } = api.sites[0]);
  ({ person_id } = api.student());
  await api.world.person({ person_id });
  await api.world.role({ person_id, site_id });
  await api.until(COUNT, ({ viewer }) => viewer !== null);
});
afterAll(() => api.stop());

const markAll = async (input?: object): Promise<Data> => {
  const { body } = await api.query(MARK_ALL, { variables: input === undefined ? {} : { input } });
  expect(body.errors).toBeUndefined();
  return body.data.markAllNotificationsRead;
};

/** Inserts notifications of `daysAgo` into the inbox of the member, one millisecond apart. */
async function fill(count: number, { daysAgo = 1, person = person_id } = {}): Promise<void> {
  await database.query(
    `WITH made AS (
       INSERT INTO notifications (site_id, person_id, occasion, kind, parameters, created_at)
       SELECT $1, $2, uuidv7()::text, 'course_enrolled', '{"course":"Many"}', now() - make_interval(days => $4) + n * interval '1 millisecond'
       FROM generate_series(1, $3) n)
     INSERT INTO inbox_counts AS old (site_id, person_id, unread) VALUES ($1, $2, $3)
     ON CONFLICT (site_id, person_id) DO UPDATE SET unread = old.unread + $3`,
    [site_id, person, count, daysAgo],
  );
}

/** Inboxes with a wrong count. */
async function wrong(): Promise<unknown[]> {
  const { rows } = await database.query(
    `SELECT i.person_id, i.unread, count(n.*)::int AS counted FROM inbox_counts i
     LEFT JOIN notifications n ON n.site_id = i.site_id AND n.person_id = i.person_id AND n.read_at IS NULL
     GROUP BY i.site_id, i.person_id, i.unread HAVING count(n.*) <> i.unread`,
  );
  return rows;
}

describe('markAllNotificationsRead', () => {
  it('marks all notifications, returns their number, and finds none the second time', async () => {
    await fill(7);
    expect(await markAll({ clientMutationId: 'mine' })).toEqual({
      markedCount: 7,
      unreadNotificationCount: 0,
      userErrors: [],
      clientMutationId: 'mine',
    });
    const times = async () => (await database.query('SELECT read_at FROM notifications ORDER BY notification_id')).rows;
    const first = await times();
    expect(await markAll()).toMatchObject({ markedCount: 0, unreadNotificationCount: 0, clientMutationId: null });
    expect(await times()).toEqual(first);
  });

  it('leaves later notifications and those of other people unread', async () => {
    await fill(5);
    await fill(3, { person: uuidv7() });
    const { body } = await api.query('{ viewer { notifications(first: 5) { nodes { createdAt } } } }');
    const [, , third] = body.data.viewer.notifications.nodes as { createdAt: string }[];
    expect(await markAll({ before: third?.createdAt })).toMatchObject({ markedCount: 3, unreadNotificationCount: 2 });
    expect(await markAll({ before: '2999-01-01T00:00:00+14:00' })).toMatchObject({ markedCount: 2 });
    const { rows } = await database.query('SELECT FROM notifications WHERE person_id <> $1 AND read_at IS NULL', [
      person_id,
    ]);
    expect(rows).toHaveLength(3);
  });

  it('marks the newest notification by its createdAt in milliseconds, and none of the next millisecond', async () => {
    await fill(2);
    await database.query(
      `UPDATE notifications n SET created_at = now() - make_interval(mins => 5) + newest.offset * interval '1 millisecond'
       FROM (SELECT notification_id, row_number() OVER (ORDER BY created_at) AS offset
             FROM notifications WHERE person_id = $1 AND read_at IS NULL) newest
       WHERE n.notification_id = newest.notification_id`,
      [person_id],
    );
    const { body } = await api.query('{ viewer { notifications(first: 2) { nodes { createdAt } } } }');
    const [newest, older] = body.data.viewer.notifications.nodes as { createdAt: string }[];
    const kept = (instant: string | undefined) => new Date(instant ?? '');
    expect(kept(newest?.createdAt).getTime() - kept(older?.createdAt).getTime()).toBe(1);
    // Digits after milliseconds are cut off, so a row of the next millisecond is not marked.
    expect(await markAll({ before: older?.createdAt.replace('Z', '999Z') })).toMatchObject({ markedCount: 1 });
    expect(await markAll({ before: kept(newest?.createdAt).toISOString() })).toMatchObject({
      markedCount: 1,
      unreadNotificationCount: 0,
    });
  });

  it('marks a notification of the current millisecond without an instant', async () => {
    await fill(1);
    // Rounded up, like the column rounds half of all instants.
    await database.query(
      `UPDATE notifications SET created_at = now() + interval '0.4 milliseconds' WHERE person_id = $1`,
      [person_id],
    );
    expect(await markAll({})).toMatchObject({ markedCount: 1, unreadNotificationCount: 0 });
  });

  it.each(['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-01-01', '0001-01-01T00:00:00+23:00', 'now'])(
    'rejects %s as an instant',
    async (before) => {
      const { body } = await api.query(MARK_ALL, { variables: { input: { before } } });
      expect(body.errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    },
  );

  it.each(['0001-01-01T00:00:00Z', '2026-01-01T00:00:00.123456789+23:59', '9999-12-31T23:59:59-00:00'])(
    'accepts %s as an instant',
    async (before) => {
      expect(await markAll({ before })).toMatchObject({ userErrors: [] });
    },
  );

  it('returns the count after a mark for which it waited', async () => {
    await fill(3);
    const { rows } = await database.query<{ notification_id: string }>(
      'SELECT notification_id FROM notifications WHERE person_id = $1 AND read_at IS NULL LIMIT 1',
      [person_id],
    );
    const id = rows[0]?.notification_id;
    // As the first click does, whose transaction is not committed yet.
    await database.query('BEGIN');
    await database.query('UPDATE notifications SET read_at = now() WHERE notification_id = $1', [id]);
    await database.query('UPDATE inbox_counts SET unread = unread - 1 WHERE person_id = $1', [person_id]);
    const second = api.query(MARK, { variables: { id: `ntf_${id}` } });
    const observer = await api.connect();
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await observer.query(blocked)).rowCount === 1);
    await database.query('COMMIT');
    expect((await second).body.data.markNotificationRead.unreadNotificationCount).toBe(2);
    await markAll();
  });

  it('keeps the count exact during concurrent marking and delivery', async () => {
    await fill(12_000);
    const { rows } = await database.query<{ notification_id: string }>(
      'SELECT notification_id FROM notifications WHERE person_id = $1 AND read_at IS NULL ORDER BY random() LIMIT 40',
      [person_id],
    );
    const { course_id } = await api.world.course({ site_id });
    const work = [
      ...rows.map(({ notification_id: id }) => api.query(MARK, { variables: { id: `ntf_${id}` } })),
      ...[1, 2, 3, 4].map(() => api.query(MARK_ALL)),
      ...Array.from({ length: 20 }, () => api.world.enrollment({ site_id, person_id, course_id })),
    ];
    const responses = await Promise.all(work);
    expect(responses.filter((response) => 'body' in response && response.body.errors !== undefined)).toEqual([]);
    const announced = `SELECT FROM notifications WHERE person_id = $1 AND occasion LIKE 'enrollment:%'`;
    await eventually(async () => (await database.query(announced, [person_id])).rows.length >= 20);
    expect(await wrong()).toEqual([]);
    await markAll();
    expect((await api.query(COUNT)).body.data.viewer.unreadNotificationCount).toBe(0);
  });
});

describe('an inbox of 100,000', () => {
  beforeAll(async () => {
    await fill(FULL);
    await database.query('VACUUM ANALYZE notifications, inbox_counts');
  });

  it.each([
    ['counts', 'SELECT unread FROM inbox_counts WHERE site_id = $1 AND person_id = $2'],
    [
      'reads a page of',
      'SELECT parameters FROM notifications WHERE site_id = $1 AND person_id = $2 ORDER BY created_at DESC, notification_id DESC LIMIT 20',
    ],
  ])('reads a handful of database pages when it %s a full inbox', async (_what, text) => {
    const plan = await database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      [site_id, person_id],
    );
    const { Plan } = plan.rows[0]?.['QUERY PLAN'][0] ?? { Plan: {} };
    const pages = (Plan['Shared Hit Blocks'] ?? Infinity) + (Plan['Shared Read Blocks'] ?? Infinity);
    expect(pages).toBeLessThan(40);
  });

  it('marks in batches that barely delay new notifications and leave these unread', async () => {
    const { course_id } = await api.world.course({ site_id });
    const [all] = await Promise.all([
      markAll(),
      api.world.enrollment({ site_id, person_id, course_id, started_at: '2026-01-01T00:00:00.000Z' }),
    ]);
    expect(all.markedCount).toBeGreaterThanOrEqual(FULL);
    expect(await wrong()).toEqual([]);
    const transactions = await database.query<{ n: number }>(
      `SELECT count(DISTINCT read_at)::int AS n FROM notifications WHERE person_id = $1 AND parameters->>'course' = $2`,
      [person_id, 'Many'],
    );
    expect(transactions.rows[0]?.n).toBeGreaterThan(10);
  });
});

describe('the removal of old notifications', () => {
  it('removes old notifications with their counts, during concurrent reads and removals, and keeps the others', async () => {
    const other = uuidv7();
    await fill(1_700, { daysAgo: 31, person: other });
    await fill(40, { daysAgo: 29, person: other });
    const { signal } = new AbortController();
    const worker = api.service.app.get(RetentionWorker, { strict: false });
    await Promise.all([worker.run(signal), worker.run(signal), api.query(MARK_ALL)]);
    await worker.run(signal);
    const { rows } = await database.query('SELECT unread FROM inbox_counts WHERE person_id = $1', [other]);
    expect(rows).toEqual([{ unread: 40 }]);
    const old = await database.query(`SELECT FROM notifications WHERE created_at < now() - interval '30 days'`);
    expect(old.rows).toEqual([]);
    expect(await wrong()).toEqual([]);
  });
});
