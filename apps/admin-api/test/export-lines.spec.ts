import { View } from '@lyceum/collections';
import type { Caller } from '@lyceum/collections';
import { csvText } from '@lyceum/platform';
import type { ListQuery, Page } from '@lyceum/rest';
import { shownEnrollment } from '#src/enrollments/enrollment.operations.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { ENROLLMENT_LINES } from '#src/exports/enrollment.lines.js';
import { ExportSources } from '#src/exports/export.sources.js';
import type { ExportedRows } from '#src/exports/export.source.js';
import type { ExportFilters } from '#src/exports/export.schema.js';
import { ORDER_LINES } from '#src/exports/order.lines.js';
import { PROGRESS_LINES, STUDENT_LINES } from '#src/exports/person.lines.js';
import { shownOrder } from '#src/orders/order.operations.js';
import { OrderService } from '#src/orders/order.service.js';
import { progress } from '#src/progress/progress.schema.js';
import { ProgressService } from '#src/progress/progress.service.js';
import { student } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { TestExports } from './test-exports.js';

/** Texts that a spreadsheet runs, that need quotes, or that JSON escapes. */
const HOSTILE = [
  'plain',
  '=1+1',
  '+1',
  '-1',
  '@sum',
  '\ttab',
  '\rreturn',
  '＝full width',
  'quote " and comma, both',
  'line\r\nbreak',
  '\\ \b \f \u0001 \u2028 \u{1f600}',
  '',
];

interface Lists {
  list(caller: Caller, query: ListQuery): Promise<Page<object>>;
}

let exports: TestExports;
let owner: Caller;
let filters: ExportFilters;
beforeAll(async () => {
  exports = await TestExports.open();
  const { created_by, ...one } = await exports.start({ collection: 'students', format: 'csv' });
  filters = one['filters'] as ExportFilters;
  owner = { site_id: exports.api.sites[0].site_id, member_id: String(created_by), roles: ['owner'] };
  await fill();
});
afterAll(() => exports.close());

/** A student, an enrollment, a record of progress and an order for each text. */
async function fill(): Promise<void> {
  await exports.database.query(
    `with given as (select one, n from unnest($2::text[]) with ordinality as each (one, n)),
     student as (
       insert into students (site_id, email, name, phone_number, tags, external_id, metadata, member_id, locale)
       select $1, n || '@example.com', one, nullif(one, ''), array[one, 'b'], nullif(one || n, n::text),
         jsonb_build_object('a.b', one, 'z', 'y'), case when n % 2 = 0 then gen_random_uuid() end, 'zh-TW'
       from given returning id, email),
     course as (
       insert into courses (site_id, slug, name) select $1, 'hostile-' || n, 'Course' from given returning id, slug),
     plan as (
       insert into course_plans (site_id, course_id, name, plan_type) select $1, id, 'Free', 'free' from course
       returning id, course_id),
     enrollment as (
       insert into enrollments (site_id, student_id, course_id, source, state, external_id, metadata, completion_rate,
         completed_at, expires_at, started_at)
       select $1, student.id, course.id, 'manual', 'active', nullif(one, '') || n,
         case when n % 2 = 0 then '{}' else jsonb_build_object('k', one) end, 1.0 / n,
         case when n % 3 = 0 then '1969-12-31T23:59:59.9Z'::timestamptz end,
         case when n % 4 = 0 then '9999-12-31T23:59:59.999Z'::timestamptz end, now() - interval '3 days'
       from given join student on student.email = n || '@example.com' join course on course.slug = 'hostile-' || n
       returning id, student_id, course_id),
     granted as (
       insert into access_grants (site_id, enrollment_id, source, source_id, plan_id, starts_at, ends_at, revoked_at)
       select $1, enrollment.id, 'order', gen_random_uuid(), case when k = 2 then plan.id end,
         now() - k * interval '1 day', case when k > 1 then now() end, case when k > 2 then now() end
       from enrollment join plan using (course_id) join generate_series(1, 3) k on true
       returning id),
     watched as (
       insert into progress (site_id, enrollment_id, student_id, course_id, lecture_id, lecture_title,
         position_seconds, watched_at, completed, completed_at)
       select $1, enrollment.id, enrollment.student_id, enrollment.course_id, gen_random_uuid(), one, n,
         now() - n * interval '1 ms', n % 2 = 0, case when n % 2 = 0 then now() end
       from enrollment join student on student.id = enrollment.student_id join given on student.email = n || '@example.com'
       where n % 5 > 0
       returning id)
     insert into orders (site_id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
       total_minor, source, item_types, paid_at, coupon_code, payment_method)
     select $1, one || n, 'paid', student.id, 'TWD', 9007199254740991, 0, 0, 9007199254740991, one,
       '{course_plan,ticket}', now(), nullif(one, ''), one
     from given join student on student.email = n || '@example.com'`,
    [owner.site_id, HOSTILE],
  );
}

const work = (collection: 'enrollments' | 'orders' | 'progress' | 'students', format: 'csv' | 'jsonl') => ({
  collection,
  format,
  filters,
  created_at: new Date(Date.now() + 60_000),
});

function read(of: ReturnType<typeof work>, caller = owner): Promise<ExportedRows> {
  return exports.get(ExportSources).read(caller, of, undefined, 100);
}

const CASES = [
  {
    collection: 'students',
    lines: STUDENT_LINES,
    view: new View({ resource: student }),
    service: StudentService,
  },
  {
    collection: 'enrollments',
    lines: ENROLLMENT_LINES,
    view: new View(shownEnrollment),
    service: EnrollmentService,
  },
  {
    collection: 'progress',
    lines: PROGRESS_LINES,
    view: new View({ resource: progress }),
    service: ProgressService,
  },
  {
    collection: 'orders',
    lines: ORDER_LINES,
    view: new View(shownOrder),
    service: OrderService,
  },
] as const;

describe.each(CASES)('an export of $collection', ({ collection, lines, view, service }) => {
  it('writes the columns of the list, in its order', () => {
    expect(Object.keys(lines.columns)).toEqual(view.columns);
  });

  it('writes what JavaScript writes of the same rows', async () => {
    const { rows } = await exports.get<Lists>(service).list(owner, { sort: 'id', limit: 100, include_total: false });
    expect(rows.length).toBeGreaterThan(HOSTILE.length / 2);
    const shown = rows.map((row) => view.summary(row));
    const jsonl = await read(work(collection, 'jsonl'));
    expect(jsonl.lines).toEqual(shown.map((object) => `${JSON.stringify(object)}\n`));
    const csv = await read(work(collection, 'csv'));
    expect(csv.lines).toEqual(shown.map((object) => csvText(view.columns, [object], false)));
    expect(csv.next).toBeNull();
  });
});

it('leaves rows to JavaScript whose state the clock has not written', async () => {
  const past = `update enrollments set changes_at = now() - interval '1 minute' where id = (
    select id from enrollments where site_id = $1 order by id limit 1)`;
  await exports.database.query(past, [owner.site_id]);
  const page = await read(work('enrollments', 'jsonl'));
  expect(page.lines).toBeUndefined();
  expect(page.rows).toHaveLength(HOSTILE.length);
});

it('leaves the rows of a teacher to JavaScript, because a fence can narrow their values', async () => {
  const teacher = { ...owner, roles: ['lecturer' as const] };
  expect(await read(work('students', 'csv'), teacher)).toMatchObject({ rows: [], next: null });
  expect((await read(work('students', 'csv'), teacher)).lines).toBeUndefined();
});
