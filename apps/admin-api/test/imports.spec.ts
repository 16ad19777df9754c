import { randomUUID } from 'node:crypto';
import { newCourse } from './new-course.js';
import { TestImports, importPath } from './test-imports.js';
import type { Json } from './test-imports.js';
import { toolCaller } from './tool-caller.js';

const counts = ({ rows_created, rows_updated, rows_skipped, rows_failed, rows_done, rows_total }: Json) => ({
  rows_created,
  rows_updated,
  rows_skipped,
  rows_failed,
  rows_done,
  rows_total,
});

let imports: TestImports;
beforeAll(async () => {
  imports = await TestImports.open();
});
afterAll(() => imports.close());

it('previews all faults, changes nothing, and then adds the valid rows with their events', async () => {
  await imports.student({ email: 'known@one.example', external_id: 'known' });
  const lines = [
    'email,name,phone_number,tags,external_id,metadata.cohort',
    'mei@one.example,Mei,+886912345678,a;b,crm-1,evening',
    'known@one.example,Known,,,,',
    'lin@one.example,,,,known,',
    'wrong,Wrong,,,,',
    'zoe@one.example,,,,,',
    'MEI@one.example,Again,,,,',
  ];
  const one = await imports.start(lines);
  expect(one).toMatchObject({ state: 'queued', rows_total: 0, preview: null, report_url: null });
  await imports.work();
  const previewed = await imports.read(one);
  expect(previewed).toMatchObject({
    state: 'previewed',
    rows_total: 6,
    rows_done: 0,
    preview: { rows_created: 2, rows_updated: 0, rows_skipped: 0, rows_failed: 4 },
    faults_count: 4,
  });
  const faults = previewed['faults'] as Json[];
  expect(faults.map(({ line, pointer, code, column, value }) => [line, pointer, code, column, value])).toEqual([
    [3, '/email', 'already_exists', 'email', 'known@one.example'],
    [4, '/external_id', 'already_exists', 'external_id', 'known'],
    [5, '/email', 'invalid_format', 'email', 'wrong'],
    [7, '/email', 'repeated', 'email', 'MEI@one.example'],
  ]);
  expect((await imports.reportOf(one)).split('\r\n')).toEqual([
    'line,pointer,code,detail,column,value',
    ...faults.map(({ line, pointer, code, detail, column, value }) =>
      [line, pointer, code, quoted(detail), column, value].join(','),
    ),
    '',
  ]);
  expect(await imports.students('one.example')).toHaveLength(1);

  const refused = await imports.run(one);
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
  const done = await imports.ran(one, { skip_invalid: true });
  expect(done).toMatchObject({ state: 'completed', rows_created: 2, rows_failed: 4, rows_done: 6 });
  const [, mei, zoe] = await imports.students('one.example');
  expect(mei).toMatchObject({
    email: 'mei@one.example',
    name: 'Mei',
    phone_number: '+886912345678',
    tags: ['a', 'b'],
    external_id: 'crm-1',
    metadata: { cohort: 'evening' },
  });
  expect(zoe).toMatchObject({ name: 'zoe', tags: [], metadata: {}, external_id: null });
  const [event] = await imports.api.events.of([String(mei?.['id'])], 1);
  expect(event).toMatchObject({
    type: 'school.student.created.v1',
    actor: { member_id: one['created_by'], via: 'rest', request_id: one['id'] },
    data: expect.objectContaining({ email: 'mei@one.example', send_welcome_email: false }),
  });
  const { body } = await imports.api.send<{ data: Json[] }>('GET', `/api/v1/activity?object_id=${String(mei?.['id'])}`);
  expect(body.data.map(({ action }) => action)).toEqual(['student.created']);
  expect((await imports.run(one)).status).toBe(200);
  const events = await imports.api.events.of([String(one['id'])], 5);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual([
    'created',
    'checking',
    'previewed',
    'started',
    'completed',
  ]);
  // The report stays.
  expect(await imports.filesOf(one)).toHaveLength(1);
});

it('changes the members that a row names, by address or by external id', async () => {
  await imports.student({ email: 'a@two.example', name: 'A', external_id: 'a', tags: ['old'], metadata: { k: '1' } });
  await imports.student({ email: 'b@two.example', name: 'B', external_id: 'b' });
  const byEmail = await imports.checked(
    ['email,name,metadata.l', 'a@two.example,,2', 'b@two.example,B,', 'c@two.example,C,'],
    { mode: 'upsert_by_email' },
  );
  expect(byEmail).toMatchObject({ preview: { rows_created: 1, rows_updated: 1, rows_skipped: 1, rows_failed: 0 } });
  expect(counts(await imports.ran(byEmail))).toEqual({
    rows_created: 1,
    rows_updated: 1,
    rows_skipped: 1,
    rows_failed: 0,
    rows_done: 3,
    rows_total: 3,
  });
  const [a, b] = await imports.students('two.example');
  expect(a).toMatchObject({ name: 'A', tags: ['old'], metadata: { k: '1', l: '2' }, external_id: 'a' });
  const byId = await imports.checked(
    ['email,external_id,name', 'new@two.example,a,A2', 'a@two.example,b,B', 'd@two.example,d,D'],
    { mode: 'upsert_by_external_id' },
  );
  // Another student has the address at the time of the check.
  expect(byId['faults']).toEqual([expect.objectContaining({ line: 3, pointer: '/email', code: 'already_exists' })]);
  expect(await imports.ran(byId, { skip_invalid: true })).toMatchObject({ rows_updated: 1, rows_created: 1 });
  const [renamed] = await imports.students('new@two.example');
  expect(renamed).toMatchObject({ id: a?.['id'], name: 'A2', member_id: null });
  const [, edited] = await imports.api.events.of([String(a?.['id'])], 3).then((events) => events.slice(1));
  expect(edited).toMatchObject({ type: 'school.student.updated.v1', aggregate_version: 3 });
  expect(b?.['updated_at']).toBe((await imports.students('b@two.example'))[0]?.['updated_at']);
});

it('enrolls the students, also those who exist, and refuses removed ones', async () => {
  const course = await newCourse(imports.api);
  const removed = await imports.student({ email: 'removed@three.example' });
  await imports.student({ email: 'known@three.example' });
  await imports.database.query(`update students set state = 'removed' where id = $1`, [removed['id']]);
  const one = await imports.checked(['email', 'new@three.example', 'known@three.example', 'removed@three.example'], {
    mode: 'upsert_by_email',
    course_id: course.id,
    send_welcome_email: true,
  });
  expect(one).toMatchObject({ faults: [expect.objectContaining({ line: 4, code: 'invalid_state' })] });
  await imports.ran(one, { skip_invalid: true });
  const { body } = await imports.api.send<{ data: Json[] }>('GET', `/api/v1/courses/${course.id}/enrollments`);
  expect(body.data.map(({ source, state }) => [source, state])).toEqual([
    ['import', 'active'],
    ['import', 'active'],
  ]);
  const [, added] = await imports.students('three.example');
  expect(added).toMatchObject({ email: 'new@three.example', enrollments_count: 1 });
  const [created] = await imports.api.events.of([String(added?.['id'])], 1);
  expect(created?.data).toMatchObject({ send_welcome_email: true });
});

it('keeps the access of students who are enrolled on other terms', async () => {
  const course = await newCourse(imports.api);
  const { id } = await imports.student({ email: 'known@terms.example' });
  const path = `/api/v1/students/${String(id)}/enrollments`;
  const body = { course_id: course.id, expires_at: '2999-01-01T00:00:00.000Z' };
  const known = await imports.api.send('POST', path, { body });
  const rows = ['email,name', 'new@terms.example,New', 'known@terms.example,Known'];
  const one = await imports.checked(rows, { mode: 'upsert_by_email', course_id: course.id });
  expect(await imports.ran(one)).toMatchObject({ state: 'completed', rows_created: 1, rows_updated: 1 });
  const { body: kept } = await imports.api.send('GET', `${path}/${String(known.body['id'])}`);
  expect(kept).toMatchObject({ expires_at: body.expires_at, source: 'manual' });
});

it('fails without a change when the course closes meanwhile', async () => {
  const course = await newCourse(imports.api);
  const one = await imports.checked(['email', 'new@four.example'], { course_id: course.id });
  await imports.database.query(`update courses set state = 'archived' where id = $1`, [course.id]);
  expect(await imports.ran(one)).toMatchObject({ state: 'failed', error: 'course_closed', rows_created: 0 });
  expect(await imports.students('four.example')).toEqual([]);
});

it.each([
  [{ upload_id: '019ab3c0-0000-7000-8000-000000000000' }, '/upload_id'],
  [{ plan_id: '019ab3c0-0000-7000-8000-000000000000' }, '/course_id'],
  [{ course_id: '019ab3c0-0000-7000-8000-000000000000' }, '/course_id'],
])('refuses to import with %j', async (more, pointer) => {
  const upload_id = await imports.upload('email\na@example.com\n');
  const body = { collection: 'students', format: 'csv', upload_id, ...more };
  const { status, body: problem } = await imports.api.send('POST', '/api/v1/imports', { body });
  expect([status, problem['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
});

it('refuses a file for another purpose', async () => {
  const upload_id = await imports.upload('email\na@example.com\n', { purpose: 'attachment' });
  const body = { collection: 'students', format: 'csv', upload_id };
  const { status } = await imports.api.send('POST', '/api/v1/imports', { body });
  expect(status).toBe(422);
});

it('refuses the upload of another member', async () => {
  const { created_by, upload_id } = await imports.start(['email', 'a@seven.example']);
  const create = (member_id: string) =>
    toolCaller(imports.api).call(
      'create_import',
      { collection: 'students', format: 'csv', upload_id },
      { scopes: ['students:write'], member: { member_id, roles: ['admin'] } },
    );
  expect(await create(randomUUID())).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '/upload_id', code: 'not_found' }],
  });
  expect(await create(String(created_by))).toHaveProperty('import');
});

it('ends as invalid where no row can be imported, and does not run', async () => {
  const unreadable = await imports.checked(['email;name', 'a@example.com;A']);
  expect(unreadable).toMatchObject({ state: 'invalid', faults: [expect.objectContaining({ line: 1 })] });
  const known = await imports.checked(['email', 'wrong']);
  expect(known).toMatchObject({ state: 'invalid', rows_total: 1, faults_count: 1 });
  const { status, body } = await imports.run(known, { skip_invalid: true });
  expect([status, body['code']]).toEqual([409, 'invalid_state']);
});

it('fails without its file', async () => {
  const one = await imports.start(['email', 'a@five.example']);
  await imports.database.query('delete from files where id = $1', [one['upload_id']]);
  await imports.work();
  expect(await imports.read(one)).toMatchObject({ state: 'failed', error: 'file_gone' });
  expect(await imports.students('five.example')).toEqual([]);
});

describe('the roles of the creator', () => {
  afterEach(() => imports.giveRoles(['owner']));

  it('fails the import minutes after its request once the creator is no owner or admin', async () => {
    const one = await imports.checked(['email', 'a@six.example']);
    await imports.giveRoles(['lecturer']);
    await imports.database.query(`update imports set created_at = now() - interval '5 minutes' where id = $1`, [
      one['id'],
    ]);
    expect(await imports.ran(one)).toMatchObject({ state: 'failed', error: 'forbidden', rows_done: 0 });
    expect(await imports.students('six.example')).toEqual([]);
  });

  it('waits for roles, which can arrive later than the token of a new member', async () => {
    await imports.giveRoles(['student']);
    const one = await imports.start(['email', 'b@six.example']);
    await imports.work();
    expect(await imports.read(one)).toMatchObject({ state: 'checking', rows_total: 0, error: null });
    await imports.giveRoles(['owner']);
    await imports.database.query(`update imports set due_at = now() - interval '1 second' where id = $1`, [one['id']]);
    await imports.work();
    expect(await imports.read(one)).toMatchObject({ state: 'previewed', rows_total: 1 });
  });
});

it('hides an import from other sites, by requests and by tools', async () => {
  const one = await imports.checked(['email', 'a@seven.example']);
  const [, site] = imports.api.sites;
  for (const [method, path] of [
    ['GET', importPath(one)],
    ['POST', `${importPath(one)}/run`],
    ['POST', `${importPath(one)}/cancel`],
  ] as const) {
    const body = method === 'POST' && path.endsWith('run') ? { body: {} } : {};
    expect([path, (await imports.api.send(method, path, { site, ...body })).status]).toEqual([path, 404]);
  }
  const { call } = toolCaller(imports.api);
  expect(await call('run_import', { id: one['id'] }, { scopes: ['students:write'], site })).toMatchObject({
    code: 'not_found',
  });
  expect(await imports.read(one)).toEqual(one);
});

it('starts, previews and runs an import by tools', async () => {
  const { call } = toolCaller(imports.api);
  const created_by = String((await imports.start(['email', 'x@six.example']))['created_by']);
  const caller = {
    scopes: ['students:read', 'students:write'],
    member: { member_id: created_by, roles: ['owner' as const] },
  };
  const upload_id = await imports.upload('{"email":"tool@six.example"}\n', {
    filename: 'students.jsonl',
    content_type: 'application/x-ndjson',
  });
  const { import: one } = await call<{ import: Json }>(
    'create_import',
    { collection: 'students', format: 'jsonl', upload_id },
    caller,
  );
  await imports.work();
  expect(await call('get_import', { id: one['id'] }, caller)).toMatchObject({ state: 'previewed' });
  await call('run_import', { id: one['id'] }, caller);
  await imports.work();
  expect(await call('get_import', { id: one['id'] }, caller)).toMatchObject({ state: 'completed', rows_created: 1 });
  expect(await imports.students('tool@six.example')).toHaveLength(1);
  expect((await imports.api.send('GET', importPath(one))).body['format']).toBe('jsonl');
});

const quoted = (text: unknown): string =>
  /[",]/.test(String(text)) ? `"${String(text).replaceAll('"', '""')}"` : String(text);
