import { randomUUID } from 'node:crypto';
import {
  PERSONAL_DATA_PAGE,
  REQUEST_HEADERS,
  SCHOOL_DATA_SECTIONS,
  exportSchoolData,
  replySchema,
} from '@lyceum/contracts';
import type { SchoolDataSection } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { PERSONAL_TABLES } from '#src/personal-data/personal-data.repository.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';

/** Tables with a person or a student that a download leaves out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  appearance_revisions: 'changes of the appearance, by the person who made them',
  lecturers: 'a public profile, which the school publishes',
  members: 'the membership, which auth exports',
  enrollments: 'member-api exports them',
  progress: 'member-api exports it',
  consulting_bookings: 'member-api exports them',
  consulting_purchases: 'member-api exports them',
  digital_product_grants: 'member-api exports them',
  event_registrations: 'member-api exports them',
};

let api: TestApi;
/** The NATS user of auth. */
let identity: NatsConnection;

beforeAll(async () => {
  api = await startAdminApi();
  identity = await connectAs(api.nats.environment('auth'));
});
afterAll(async () => {
  await identity.close();
  await api.stop();
});

const sql = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  withDatabase(api.databaseUrl, async (client) => (await client.query<Row>(text, [...values])).rows);

async function rowsOf(person_id: string, section: SchoolDataSection, offset = 0, site_id = api.sites[0].site_id) {
  const head = headers();
  head.set(REQUEST_HEADERS.site, site_id);
  const body = JSON.stringify({ person_id, section, offset });
  const response = await identity.request(exportSchoolData.subject, body, { headers: head, timeout: 30_000 });
  const reply = replySchema.parse(response.json());
  if (!reply.ok) throw new Error(reply.error.code);
  return exportSchoolData.output.parse(reply.result);
}

/** A student of the first site, and a number of comments. */
async function student(comments: number): Promise<string> {
  const person_id = randomUUID();
  const { id } = await newCourse(api);
  await sql(
    `with made as (
       insert into students (site_id, email, name, person_id, metadata)
       values ($1, $2::text || '@example.com', 'Mei Lin', $2::uuid, '{"note": "late"}') returning id)
     insert into comments (site_id, commentable_type, commentable_id, course_id, student_id, body, state, posted_at)
     select $1, 'course', $3::uuid, $3::uuid, made.id, 'Comment ' || n, 'visible', now()
       from made, generate_series(1, $4::int) n`,
    [api.sites[0].site_id, person_id, id, comments],
  );
  return person_id;
}

it('responds for each section, also for an unknown person', async () => {
  for (const section of SCHOOL_DATA_SECTIONS) {
    expect(await rowsOf(randomUUID(), section)).toEqual({ rows: [], more: false });
  }
});

it('covers each table with a person or a student', async () => {
  const found = await sql<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name in ('person_id', 'student_id') order by 1`,
  );
  const known = new Set([...Object.values(PERSONAL_TABLES).map(({ table }) => table), ...Object.keys(LEFT_OUT)]);
  expect(found.length).toBeGreaterThan(10);
  expect(found.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

it('returns the records of the person at the site, without the notes of the school', async () => {
  const [person_id, other] = [await student(2), await student(1)];
  const [record] = (await rowsOf(person_id, 'student')).rows;
  expect(record).toMatchObject({ email: `${person_id}@example.com`, name: 'Mei Lin' });
  expect(JSON.stringify(record)).not.toMatch(/late|metadata|tags|site_id|person_id|version/);
  const comments = (await rowsOf(person_id, 'comments')).rows;
  expect(comments.map(({ body }) => body)).toEqual(['Comment 1', 'Comment 2']);
  expect((await rowsOf(other, 'comments')).rows).toHaveLength(1);
  expect(await rowsOf(person_id, 'comments', 0, api.sites[1].site_id)).toEqual({ rows: [], more: false });
});

it.each([0, 1])('pages a section, with %i rows beyond the page', async (beyond) => {
  const person_id = await student(PERSONAL_DATA_PAGE + beyond);
  const first = await rowsOf(person_id, 'comments');
  expect([first.rows.length, first.more]).toEqual([PERSONAL_DATA_PAGE, beyond > 0]);
  const second = await rowsOf(person_id, 'comments', PERSONAL_DATA_PAGE);
  expect([second.rows.length, second.more]).toEqual([beyond, false]);
});

it('refuses an unknown section', async () => {
  await expect(rowsOf(randomUUID(), 'students' as SchoolDataSection)).rejects.toThrow('validation_failed');
});
