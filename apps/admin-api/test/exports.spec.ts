import { newCourse } from './new-course.js';
import { TestExports, pathOf } from './test-exports.js';
import type { Json } from './test-exports.js';
import { toolCaller } from './tool-caller.js';

const STUDENTS = { collection: 'students', format: 'jsonl' };

let exports: TestExports;
beforeAll(async () => {
  exports = await TestExports.open();
});
afterAll(() => exports.close());

it('writes the objects of the REST API as JSON Lines, and as CSV that no spreadsheet runs', async () => {
  const mei = await exports.student({
    email: 'mei@example.com',
    name: '=1+1',
    tags: ['a', 'b'],
    metadata: { a: 'x, "y"' },
  });
  const lin = await exports.student({ email: 'lin@example.com', name: 'Lin', phone_number: '+886912345678' });
  const one = await exports.start({ collection: 'students', format: 'jsonl' });
  expect(one).toMatchObject({ state: 'queued', rows_count: 0, download_url: null });
  // After the request: not a part of the export.
  await exports.student({ email: 'late@example.com' });
  await exports.database.query(
    `update students set created_at = now() + interval '1 minute' where email = 'late@example.com'`,
  );
  await exports.work();
  const objects = await Promise.all(
    [mei, lin].map(async ({ id }) => (await exports.api.send('GET', `/api/v1/students/${String(id)}`)).body),
  );
  const file = await exports.fileOf(one);
  expect(file).toBe(objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  expect(await exports.read(one)).toMatchObject({
    state: 'ready',
    rows_count: 2,
    bytes: Buffer.byteLength(file),
    error: null,
  });

  const csv = (await exports.exported({ collection: 'students', format: 'csv' })).split('\r\n');
  expect(csv[0]).toBe(Object.keys(mei).join(','));
  expect(csv[1]).toContain(`mei@example.com,'=1+1,,,,active,"[""a"",""b""]",,"{""a"":""x, \\""y\\""""}",0,`);
  expect(csv[2]).toContain(`lin@example.com,Lin,'+886912345678,`);
  expect(csv.slice(3)).toEqual(['']);
});

it('exports enrollments and progress by the filters of their lists', async () => {
  const [a, b] = await Promise.all(
    ['a', 'b'].map(
      async (slug) => (await exports.api.send('POST', '/api/v1/courses', { body: { slug, name: slug } })).body['id'],
    ),
  );
  const { id } = await exports.student({ email: 'enrolled@example.com' });
  for (const course_id of [a, b])
    await exports.api.send('POST', `/api/v1/students/${String(id)}/enrollments`, {
      body: { course_id, external_id: `seat-${String(course_id)}`, metadata: { cohort: 'evening' } },
    });
  const rows = async (body: Json): Promise<Json[]> =>
    (await exports.exported({ format: 'jsonl', ...body }))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json);
  const { data } = (await exports.api.send<{ data: Json[] }>('GET', `/api/v1/enrollments?course_id=${String(b)}`)).body;
  expect(data).toHaveLength(1);
  expect(await rows({ collection: 'enrollments', filters: { course_id: b, state: 'active' } })).toEqual(data);
  expect(await rows({ collection: 'enrollments', filters: { student_id: id, source: 'manual' } })).toHaveLength(2);
  for (const none of [{ plan_id: a }, { expires_at: { gte: '2026-01-01T00:00:00Z' } }, { source: 'import' }])
    expect(await rows({ collection: 'enrollments', filters: { student_id: id, ...none } })).toEqual([]);
  expect(await rows({ collection: 'enrollments', filters: { student_id: id, has_begun: true } })).toEqual([]);
  const external_id = `seat-${String(a)}`;
  const [seat, ...others] = await rows({ collection: 'enrollments', filters: { external_id } });
  expect([seat, others]).toMatchObject([{ course_id: a, external_id, metadata: { cohort: 'evening' } }, []]);
  const lines = await exports.exported({ collection: 'enrollments', format: 'csv', filters: { external_id } });
  expect(lines.split('\r\n')[0]?.split(',')).toEqual(expect.arrayContaining(['external_id', 'metadata']));
  expect(lines).toContain(`,${external_id},`);
  expect(await rows({ collection: 'enrollments', filters: { created_at: { lt: '2020-01-01T00:00:00Z' } } })).toEqual(
    [],
  );
  await exports.database.query(
    `insert into progress (site_id, enrollment_id, student_id, course_id, lecture_id, position_seconds, watched_at, completed)
     select site_id, id, student_id, course_id, uuidv7(), 60, now(), false from enrollments where student_id = $1`,
    [id],
  );
  expect(await rows({ collection: 'enrollments', filters: { student_id: id, has_begun: true } })).toHaveLength(2);
  expect(await rows({ collection: 'progress', filters: { course_id: a, student_id: id } })).toEqual([
    expect.objectContaining({ course_id: a, student_id: id, position_seconds: 60 }),
  ]);
  expect(await rows({ collection: 'progress', filters: { completed: true } })).toEqual([]);
  const header = await exports.exported({ collection: 'progress', format: 'csv', filters: { completed: true } });
  expect(header).toMatch(/^id,student_id,[\w,]+\r\n$/);
});

it.each([
  ['students', { course_id: '019ab3c0-0000-7000-8000-000000000000' }, '/filters/course_id'],
  ['students', { state: 'expired' }, '/filters/state'],
  ['enrollments', { state: 'removed' }, '/filters/state'],
  ['enrollments', { q: 'mei' }, '/filters/q'],
  ['progress', { paid_at: { gte: '2026-01-01T00:00:00Z' } }, '/filters/paid_at'],
  ['orders', { course_id: '019ab3c0-0000-7000-8000-000000000000' }, '/filters/course_id'],
  ['students', { plan_id: '019ab3c0-0000-7000-8000-000000000000' }, '/filters/plan_id'],
  ['enrollments', { source: 'storefront' }, '/filters/source'],
  ['enrollments', { tag: 'evening' }, '/filters/tag'],
  ['students', { form_id: '019ab3c0-0000-7000-8000-000000000000' }, '/filters/form_id'],
])('refuses to filter %s by %j', async (collection, filters, pointer) => {
  const { status, body } = await exports.api.send('POST', '/api/v1/exports', {
    body: { collection, format: 'csv', filters },
  });
  expect([status, body['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
});

describe('an export of orders', () => {
  const ORDERS = { collection: 'orders', format: 'csv' };

  beforeAll(async () => {
    const { id } = await exports.student({ email: 'buyer@example.com', name: 'Buyer' });
    await exports.database.query(
      `insert into orders (site_id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
         total_minor, source, item_types, paid_at)
       select $1, 'order-' || n, 'paid', $2, 'TWD', 100, 0, 0, 100, 'web', '{course_plan}', now()
       from generate_series(1, 2) n`,
      [exports.api.sites[0].site_id, id],
    );
  });

  it('writes a row for each order that its filters name', async () => {
    const lines = (await exports.exported({ ...ORDERS, filters: { number: 'order-1', item_type: 'course_plan' } }))
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toMatch(/^id,number,state,student_id,buyer_name,buyer_email,currency,subtotal_minor,/);
    expect(lines.slice(1)).toEqual([expect.stringContaining('order-1,paid,')]);
    expect(lines[1]).toContain(',Buyer,buyer@example.com,TWD,100,0,0,false,100,0,');
    const unpaid = await exports.exported({ ...ORDERS, filters: { state: 'pending' } });
    expect(unpaid.trimEnd().split('\r\n')).toHaveLength(1);
  });

  it('needs the scope of orders, also to be seen', async () => {
    const one = await exports.start(ORDERS);
    const token = await exports.api.token('students:read');
    const refused = await exports.api.send('POST', '/api/v1/exports', { token, body: ORDERS });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toContain('scope="orders:read"');
    expect((await exports.api.send('GET', pathOf(one), { token })).status).toBe(404);
    expect((await exports.api.send('GET', pathOf(one))).status).toBe(200);
  });

  it('fails when the creator is a teacher by then', async () => {
    const one = await exports.start(ORDERS);
    await exports.giveRoles(['lecturer']);
    await exports.database.query(`update exports set created_at = now() - interval '5 minutes' where id = $1`, [
      one['id'],
    ]);
    await exports.work();
    expect(await exports.read(one)).toMatchObject({ state: 'failed', error: 'forbidden', rows_count: 0 });
    await exports.giveRoles(['owner']);
  });
});

describe('the roles of the creator', () => {
  afterEach(() => exports.giveRoles(['owner']));

  it('narrows the file to own students once the creator is a teacher', async () => {
    const all = await exports.start({ collection: 'students', format: 'jsonl' });
    await exports.giveRoles(['lecturer']);
    await exports.work();
    expect(await exports.read(all)).toMatchObject({ state: 'ready', rows_count: 0, bytes: 0 });
    const [course, mine] = [await newCourse(exports.api), await exports.student({ email: 'mine@example.com' })];
    await exports.api.send('POST', `/api/v1/students/${String(mine['id'])}/enrollments`, {
      body: { course_id: course.id },
    });
    await exports.database.query(
      `with lecturer as (insert into lecturers (site_id, slug, name, member_id) values ($1, 'l', 'L', $2) returning id)
       insert into course_lecturers select $1, $3, id, 1 from lecturer`,
      [exports.api.sites[0].site_id, all['created_by'], course.id],
    );
    const own = await exports.exported({ collection: 'students', format: 'jsonl' });
    expect(
      own
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Json)['email']),
    ).toEqual(['mine@example.com']);
  });

  it('hides files of the whole site from a creator who became a teacher', async () => {
    const [all, narrowed] = [await exports.start(STUDENTS), await exports.start(STUDENTS)];
    const teacher = {
      scopes: ['students:read'],
      member: { member_id: String(all['created_by']), roles: ['lecturer' as const] },
    };
    const seen = (one: Json) => toolCaller(exports.api).call('get_export', { id: one['id'] }, teacher);
    await exports.worker.turn();
    expect(await seen(all)).toMatchObject({ code: 'not_found' });
    expect(await seen(narrowed)).toMatchObject({ state: 'queued' });
    await exports.giveRoles(['lecturer']);
    await exports.work();
    expect(await seen(all)).toMatchObject({ code: 'not_found' });
    expect(await seen(narrowed)).toMatchObject({ state: 'ready' });
  });

  it('waits for roles, which can arrive later than the token of a new member', async () => {
    await exports.giveRoles(['student']);
    const one = await exports.start(STUDENTS);
    await exports.work();
    expect(await exports.read(one)).toMatchObject({ state: 'running', rows_count: 0, error: null });
    await exports.giveRoles(['owner']);
    await exports.database.query(`update exports set due_at = now() - interval '1 second' where id = $1`, [one['id']]);
    await exports.work();
    expect(await exports.read(one)).toMatchObject({ state: 'ready' });
  });

  it('fails the export minutes after its request once the creator can read no students', async () => {
    const one = await exports.start(STUDENTS);
    await exports.giveRoles(['student']);
    await exports.database.query(`update exports set created_at = now() - interval '5 minutes' where id = $1`, [
      one['id'],
    ]);
    await exports.work();
    expect(await exports.read(one)).toMatchObject({ state: 'failed', error: 'forbidden', download_url: null });
    expect(await exports.filesOf(one)).toEqual([]);
  });
});

it('starts an export and reads it by tools that need no write scope', async () => {
  const { call } = toolCaller(exports.api);
  const caller = {
    scopes: ['students:read'],
    member: {
      member_id: String((await exports.start({ collection: 'students', format: 'csv' }))['created_by']),
      roles: ['owner' as const],
    },
  };
  const { export: one } = await call<{ export: Json }>(
    'create_export',
    { collection: 'students', format: 'csv', filters: { state: 'active' } },
    caller,
  );
  await exports.work();
  const ready = await call('get_export', { id: one['id'] }, caller);
  expect(ready).toMatchObject({
    state: 'ready',
    filters: expect.objectContaining({ state: 'active', q: null }),
    download_url: expect.stringContaining('http'),
  });
});
