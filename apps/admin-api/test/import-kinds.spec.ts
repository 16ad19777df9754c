import { newCourse } from './new-course.js';
import { TestImports, importPath } from './test-imports.js';
import type { Json } from './test-imports.js';

let imports: TestImports;
beforeAll(async () => {
  imports = await TestImports.open();
});
afterAll(() => imports.close());

const list = async (path: string): Promise<Json[]> => {
  const { body } = await imports.api.send<{ data: Json[] }>('GET', `/api/v1/${path}`);
  return body.data;
};
const post = async (path: string, body: object): Promise<Json> => {
  const made = await imports.api.send('POST', `/api/v1/${path}`, { body });
  expect([path, made.status]).toEqual([path, 201]);
  return made.body;
};
const typesOf = async (id: unknown, count: number): Promise<string[]> => {
  const events = await imports.api.events.of([String(id)], count);
  return events.map(({ type }) => type);
};
const codes = ({ faults }: Json): unknown[] =>
  (faults as Json[]).map(({ line, pointer, code }) => [line, pointer, code]);

describe('categories', () => {
  const start = (lines: string[], more: object = {}) => imports.checked(lines, { collection: 'categories', ...more });

  it('adds the valid rows of a file with their events, and changes nothing the second time', async () => {
    await post('categories', { slug: 'known', name: 'Known', external_id: 'k' });
    const lines = [
      'slug,name,description,position,external_id,metadata.shelf',
      'ink,Ink,Black on paper,4,i,a',
      'known,Known again,,,,',
      'oil,Oil,,,k,',
      'Not a slug,Wrong,,,,',
      'clay,,,,,',
      'wood,Wood,,high,,',
      'ink,Twice,,,,',
    ];
    const one = await start(lines);
    expect(one).toMatchObject({ state: 'previewed', preview: { rows_created: 1, rows_failed: 6 } });
    expect(codes(one)).toEqual([
      [3, '/slug', 'already_exists'],
      [4, '/external_id', 'already_exists'],
      [5, '/slug', 'invalid_format'],
      [6, '/name', 'required'],
      [7, '/position', 'invalid_type'],
      [8, '/slug', 'repeated'],
    ]);
    expect(await list('categories?slug=ink')).toEqual([]);
    expect(await imports.ran(one, { skip_invalid: true })).toMatchObject({ state: 'completed', rows_created: 1 });
    const [ink] = await list('categories?slug=ink');
    expect(ink).toMatchObject({ position: 4, external_id: 'i', metadata: { shelf: 'a' } });
    const [event] = await imports.api.events.of([String(ink?.['id'])], 1);
    expect(event).toMatchObject({
      type: 'school.category.created.v1',
      actor: { member_id: one['created_by'], request_id: one['id'] },
    });
    const again = await start(lines.slice(0, 2), { mode: 'upsert_by_slug' });
    expect(again).toMatchObject({ preview: { rows_created: 0, rows_updated: 0, rows_skipped: 1, rows_failed: 0 } });
    expect(await imports.ran(again)).toMatchObject({ state: 'completed', rows_skipped: 1 });
    expect(await list('categories?slug=ink')).toEqual([ink]);
  });

  it('changes categories by slug or external id, and refuses unknown ones where the mode adds none', async () => {
    const a = await post('categories', { slug: 'a-two', name: 'A', external_id: 'a2', metadata: { k: '1' } });
    await post('categories', { slug: 'b-two', name: 'B', external_id: 'b2' });
    const bySlug = await start(['slug,position,metadata.l', 'a-two,7,2', 'b-two,0,', 'c-two,1,'], {
      mode: 'update_by_slug',
    });
    expect(bySlug).toMatchObject({ preview: { rows_updated: 1, rows_skipped: 1, rows_created: 0, rows_failed: 1 } });
    expect(codes(bySlug)).toEqual([[4, '/slug', 'not_found']]);
    await imports.ran(bySlug, { skip_invalid: true });
    expect(await list('categories?slug=a-two')).toMatchObject([
      { id: a['id'], name: 'A', position: 7, metadata: { k: '1', l: '2' } },
    ]);
    expect(await list('categories?slug=c-two')).toEqual([]);
    expect(await typesOf(a['id'], 2)).toEqual(['school.category.created.v1', 'school.category.updated.v1']);
    const byId = await start(['external_id,slug,name', 'a2,renamed-two,A', 'b2,b-two,B2', 'd2,d-two,D'], {
      mode: 'upsert_by_external_id',
    });
    expect(await imports.ran(byId)).toMatchObject({ rows_updated: 2, rows_created: 1, rows_failed: 0 });
    expect(await list('categories?external_id=a2')).toMatchObject([{ id: a['id'], slug: 'renamed-two' }]);
  });

  it('refuses a row whose slug another request has taken since the preview', async () => {
    const one = await start(['slug,name', 'late,Late', 'free,Free']);
    await post('categories', { slug: 'late', name: 'Other' });
    const done = await imports.ran(one);
    expect(done).toMatchObject({ state: 'completed', rows_created: 1, rows_failed: 1 });
    expect(codes(done)).toEqual([[2, '/slug', 'already_exists']]);
  });
});

describe('lecturers', () => {
  const start = (lines: string[], more: object = {}) => imports.checked(lines, { collection: 'lecturers', ...more });

  it('adds lecturers, links those who may teach, and renames those of courses', async () => {
    await imports.database.query(
      `insert into members (site_id, person_id, id, email, name, state, roles, joined_at, source_epoch, source_version)
       values ($1, uuidv7(), uuidv7(), 'mei@teach.example', 'Mei', 'active', array['lecturer'], now(), 1, 1)`,
      [imports.api.sites[0].site_id],
    );
    const lines = [
      'slug,name,email,visible,bio_html,avatar_url',
      'mei-one,Mei,MEI@teach.example,true,<p>Paints</p>,https://example.com/mei.png',
      'lin-one,Lin,lin@teach.example,,,',
      'bad-one,Bad,not an address,yes,,',
    ];
    const one = await start(lines);
    expect(codes(one)).toEqual([
      [4, '/email', 'invalid_format'],
      [4, '/visible', 'invalid_type'],
    ]);
    expect(await imports.ran(one, { skip_invalid: true })).toMatchObject({ rows_created: 2, rows_failed: 1 });
    const [mei] = await list('lecturers?slug=mei-one');
    const [lin] = await list('lecturers?slug=lin-one');
    expect(mei).toMatchObject({ visible: true, avatar_url: 'https://example.com/mei.png' });
    expect([mei?.['member_id'], lin?.['member_id']]).toEqual([expect.any(String), null]);
    expect(await typesOf(mei?.['id'], 1)).toEqual(['school.lecturer.created.v1']);
    const again = await start(lines.slice(0, 3), { mode: 'upsert_by_slug' });
    expect(again).toMatchObject({ preview: { rows_skipped: 2, rows_updated: 0, rows_failed: 0 } });

    const course = await newCourse(imports.api, { lecturer_ids: [mei?.['id']] });
    const renaming = await start(['slug,name,bio_html', 'mei-one,Mei Lin,<p>Teaches</p>', 'x-one,X,'], {
      mode: 'update_by_slug',
    });
    expect(codes(renaming)).toEqual([[3, '/slug', 'not_found']]);
    expect(await imports.ran(renaming, { skip_invalid: true })).toMatchObject({ rows_updated: 1, rows_created: 0 });
    const { body } = await imports.api.send('GET', `/api/v1/lecturers/${String(mei?.['id'])}`);
    expect(body).toMatchObject({ name: 'Mei Lin', bio_html: '<p>Teaches</p>', member_id: mei?.['member_id'] });
    expect((await imports.api.send('GET', `/api/v1/courses/${course.id}`)).body).toMatchObject({
      lecturer_ids: [mei?.['id']],
    });
    const moving = await start(['slug,email', 'lin-one,mei@teach.example', 'mei-one,other@teach.example'], {
      mode: 'update_by_slug',
    });
    expect(await imports.ran(moving)).toMatchObject({ rows_updated: 2 });
    const member_id = expect.any(String);
    expect(await list('lecturers?slug=lin-one')).toMatchObject([{ email: 'mei@teach.example', member_id }]);
    expect(await list('lecturers?slug=mei-one')).toMatchObject([{ email: 'other@teach.example', member_id }]);
  });
});

it.each([
  ['categories', 'courses:write', 'courses:read'],
  ['lecturers', 'lecturers:write', 'lecturers:read'],
])(
  'needs the scope of %s to start and to run an import, and one of them to see it',
  async (collection, scope, read) => {
    const one = await imports.checked(['slug,name', `of-${collection},Scoped`], { collection });
    const without = await imports.api.token('students:read students:write');
    const body = { collection, format: 'csv', upload_id: one['upload_id'] };
    const refused = await imports.api.send('POST', '/api/v1/imports', { token: without, body });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining(`scope="${scope}"`),
    ]);
    expect((await imports.api.send('GET', importPath(one), { token: without })).status).toBe(404);
    const reader = await imports.api.token(`students:read students:write ${read}`);
    expect((await imports.api.send('GET', importPath(one), { token: reader })).status).toBe(200);
    for (const action of ['run', 'cancel']) {
      const path = `${importPath(one)}/${action}`;
      const { status } = await imports.api.send('POST', path, { token: reader, ...(action === 'run' && { body: {} }) });
      expect([action, status]).toEqual([action, 403]);
    }
    const writer = await imports.api.token(`students:read students:write ${scope}`);
    expect((await imports.api.send('POST', `${importPath(one)}/run`, { token: writer, body: {} })).status).toBe(200);
    await imports.work();
    expect(await imports.read(one)).toMatchObject({ state: 'completed', rows_created: 1 });
  },
);

it.each([
  [{ collection: 'categories', mode: 'upsert_by_email' }, '/mode'],
  [{ collection: 'lecturers', send_welcome_email: true }, '/send_welcome_email'],
  [{ collection: 'categories', mapping: { Mail: 'email' } }, '/mapping/Mail'],
])('refuses to import with %j', async (more, pointer) => {
  const upload_id = await imports.upload('slug,name\na,A\n');
  const { status, body } = await imports.api.send('POST', '/api/v1/imports', {
    body: { format: 'csv', upload_id, ...more },
  });
  expect([status, body['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
});

it('changes students by address, and refuses those who do not exist', async () => {
  await imports.student({ email: 'known@update.example', name: 'Known' });
  const one = await imports.checked(['email,name', 'known@update.example,Renamed', 'new@update.example,New'], {
    mode: 'update_by_email',
  });
  expect(codes(one)).toEqual([[3, '/email', 'not_found']]);
  await imports.ran(one, { skip_invalid: true });
  expect(await imports.students('update.example')).toMatchObject([{ name: 'Renamed' }]);
});
