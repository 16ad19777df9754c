import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { LECTURES_OF_ROW } from '#src/curriculum/course-row.schema.js';
import { newCourse, unique } from './new-course.js';
import { TestImports, importPath } from './test-imports.js';
import type { Json } from './test-imports.js';

let imports: TestImports;
beforeAll(async () => {
  imports = await TestImports.open();
});
afterAll(() => imports.close());

/** An import of objects of JSON Lines after its check. */
async function checked(rows: readonly object[], more: object = {}): Promise<Json> {
  const content = rows.map((row) => JSON.stringify(row)).join('\n');
  const type = { filename: 'courses.jsonl', content_type: 'application/x-ndjson' };
  const upload_id = await imports.upload(content, type);
  const body = { collection: 'courses', format: 'jsonl', upload_id, ...more };
  const made = await imports.api.send('POST', '/api/v1/imports', { body });
  expect(made.status).toBe(201);
  await imports.work();
  return imports.read(made.body);
}
const faultsOf = ({ faults }: Json): unknown[] =>
  (faults as Json[]).map(({ line, pointer, code }) => [line, pointer, code]);
const courseOf = async (slug: string): Promise<Json | undefined> =>
  (await imports.api.send<{ data: Json[] }>('GET', `/api/v1/courses?slug=${slug}`)).body.data[0];
const curriculumOf = async (course: Json | undefined): Promise<Json> =>
  (await imports.api.send('GET', `/api/v1/courses/${String(course?.['id'])}/curriculum`)).body;
const lecture = (slug: string, more: object = {}) => ({ slug, title: `Lecture ${slug}`, ...more });
const lectures = (count: number) => Array.from({ length: count }, (_, n) => ({ slug: `l${n}`, title: `L${n}` }));

const KNOTS = {
  name: 'Knots',
  description_html: '<p>By friction</p>',
  tags: ['rope'],
  external_id: 'knots',
  seo: { title: 'Knots at sea' },
  sections: [
    {
      title: 'Loops',
      drip_days: 3,
      opens_at: '2027-01-01T00:00:00+08:00',
      lectures: [
        lecture('bowline', { state: 'published', duration_seconds: 60, content_html: '<p>Rabbit and tree</p>' }),
        lecture('figure-eight', {
          attachments: [{ title: 'Drawing', kind: 'link', url: 'https://example.com/eight' }],
          metadata: { k: '1' },
        }),
      ],
    },
    { title: 'Bends' },
  ],
};

it('adds courses with their sections and lectures in their order, as drafts with their events', async () => {
  const slug = unique('knots');
  const plain = unique('plain');
  const one = await checked([
    { ...KNOTS, slug },
    { slug: plain, name: 'Plain' },
  ]);
  expect(one).toMatchObject({ state: 'previewed', preview: { rows_created: 2, rows_failed: 0 } });
  expect(await courseOf(slug)).toBeUndefined();
  expect(await imports.ran(one)).toMatchObject({ state: 'completed', rows_created: 2 });
  const course = await courseOf(slug);
  expect(course).toMatchObject({
    name: 'Knots',
    state: 'draft',
    tags: ['rope'],
    external_id: 'knots',
    seo: { title: 'Knots at sea', description: null },
    duration_seconds: 60,
  });
  expect(await curriculumOf(course)).toMatchObject({
    lectures_count: 2,
    sections: [
      {
        title: 'Loops',
        drip_days: 3,
        opens_at: '2026-12-31T16:00:00.000Z',
        lectures: [
          { slug: 'bowline', state: 'published', duration_seconds: 60 },
          { slug: 'figure-eight', state: 'draft' },
        ],
      },
      { title: 'Bends', lectures: [] },
    ],
  });
  const path = `/api/v1/lectures?course_id=${String(course?.['id'])}&slug=figure-eight`;
  const found = (await imports.api.send<{ data: Json[] }>('GET', path)).body.data[0];
  expect(found).toMatchObject({ metadata: { k: '1' }, attachments: [{ kind: 'link', title: 'Drawing' }] });
  expect(await curriculumOf(await courseOf(plain))).toMatchObject({ sections: [] });
  const events = await imports.api.events.of([String(course?.['id'])], 5);
  const types = events.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining([
      'school.course.created.v1',
      'school.curriculum.section_created.v1',
      'school.curriculum.lecture_created.v1',
    ]),
  );
  const created = events.find(({ type }) => type === 'school.course.created.v1');
  expect(created).toMatchObject({ actor: { member_id: one['created_by'], request_id: one['id'] } });
});

it('changes the fields of a course that exists, and refuses a curriculum for it', async () => {
  const known = await newCourse(imports.api, { name: 'Before', metadata: { a: '1' } });
  const archived = await newCourse(imports.api);
  await imports.database.query(`update courses set state = 'archived' where id = $1`, [archived.id]);
  const mode = 'upsert_by_slug';
  const rows = [
    { slug: known.slug, name: 'After', description_html: '<p>New</p>', metadata: { b: '2' } },
    { slug: unique('added'), name: 'Added', sections: [{ title: 'First' }] },
    { slug: archived.slug, name: 'Reopened' },
  ];
  const one = await checked(rows, { mode });
  expect(one).toMatchObject({ preview: { rows_created: 1, rows_updated: 1, rows_failed: 1 } });
  expect(faultsOf(one)).toEqual([[3, '', 'invalid_state']]);
  expect(await imports.ran(one, { skip_invalid: true })).toMatchObject({ rows_created: 1, rows_updated: 1 });
  expect(await courseOf(known.slug)).toMatchObject({ id: known.id, name: 'After', metadata: { a: '1', b: '2' } });
  const again = await checked(rows.slice(0, 2), { mode });
  expect(again).toMatchObject({ preview: { rows_skipped: 1, rows_failed: 1 } });
  expect(faultsOf(again)).toEqual([[2, '/sections', 'not_changeable']]);
  const update = await checked(
    [
      { slug: known.slug, sections: [] },
      { slug: unique('none'), name: 'None' },
    ],
    { mode: 'update_by_slug' },
  );
  expect([update['state'], faultsOf(update)]).toEqual([
    'invalid',
    [
      [1, '/sections', 'not_changeable'],
      [2, '/slug', 'not_found'],
    ],
  ]);
});

it('takes as many lectures and sections in a row as it may have, and refuses one more', async () => {
  const half = LECTURES_OF_ROW / 2;
  const most = { slug: unique('most'), name: 'Most', sections: [half, half].map((n, at) => section(at, n)) };
  const wide = Array.from({ length: CURRICULUM_LIMITS.sections }, (_, n) => ({ title: `S${n}` }));
  const one = await checked([
    most,
    { slug: unique('more'), name: 'More', sections: [section(0, half), section(1, half + 1)] },
    { slug: unique('wide'), name: 'Wide', sections: wide },
    { slug: unique('wider'), name: 'Wider', sections: [...wide, { title: 'One more' }] },
  ]);
  expect(faultsOf(one)).toEqual([
    [2, '/sections', 'too_large'],
    [4, '/sections', 'too_large'],
  ]);
  expect(await imports.ran(one, { skip_invalid: true })).toMatchObject({ state: 'completed', rows_created: 2 });
  expect(await curriculumOf(await courseOf(most.slug))).toMatchObject({ lectures_count: LECTURES_OF_ROW });
});

const section = (at: number, count: number) => ({
  title: `S${at}`,
  lectures: lectures(count).map(({ slug, title }) => ({ slug: `s${at}-${slug}`, title })),
});

it('names the faults within a curriculum', async () => {
  const [file_id, slug] = ['019ab3c0-de90-7a01-9c3d-4e5f60718293', unique('wrong')];
  const wrong = (sections: readonly object[]) => ({ slug: unique('wrong'), name: 'Wrong', sections });
  const one = await checked([
    wrong([
      { title: 'A', lectures: [lecture('a')] },
      { title: 'B', lectures: [lecture('b'), lecture('a')] },
    ]),
    wrong([{ title: 'A', lectures: [lecture('a', { attachments: [{ title: 'F', kind: 'pdf', file_id }] })] }]),
    wrong([{ lectures: [lecture('Not a slug')] }]),
    wrong([{ title: 'A', lectures: [lecture('a', { external_id: 'x' })] }]),
    { slug, name: 'Ids', lecturer_ids: [file_id], image_file_id: file_id },
  ]);
  expect(faultsOf(one)).toEqual([
    [1, '/sections/1/lectures/1/slug', 'repeated'],
    [2, '/sections/0/lectures/0/attachments/0/file_id', 'invalid_value'],
    [3, '/sections/0/title', 'required'],
    [3, '/sections/0/lectures/0/slug', 'invalid_format'],
    [4, '/sections/0/lectures/0/external_id', 'unknown_member'],
  ]);
  const { faults } = one as { faults: Json[] };
  expect(faults[0]).toMatchObject({ column: 'sections', value: 'a' });
  // Ids of the site are columns of an export, which an import ignores.
  await imports.ran(one, { skip_invalid: true });
  expect(await courseOf(slug)).toMatchObject({ lecturer_ids: [], image_file_id: null });
});

it('reads a course from a row of CSV, and its sections from a cell of JSON', async () => {
  const [a, b] = [unique('csv'), unique('csv')];
  const cell = JSON.stringify([{ title: 'One', lectures: [lecture('only')] }]).replaceAll('"', '""');
  const lines = ['slug,name,featured,tags,metadata.k,sections', `${a},A,true,x; y,1,"${cell}"`, `${b},B,,,,`];
  const one = await imports.checked(lines, { collection: 'courses' });
  expect(await imports.ran(one)).toMatchObject({ state: 'completed', rows_created: 2 });
  expect(await courseOf(a)).toMatchObject({ featured: true, tags: ['x', 'y'], metadata: { k: '1' } });
  expect(await curriculumOf(await courseOf(a))).toMatchObject({ sections: [{ lectures: [{ slug: 'only' }] }] });
  expect(await curriculumOf(await courseOf(b))).toMatchObject({ sections: [] });
});

it('writes a part with its curricula or nothing, and goes on after a failure', async () => {
  const slugs = [unique('atomic'), unique('atomic')];
  const rows = slugs.map((slug, n) => ({
    slug,
    name: 'Atomic',
    sections: [{ title: 'S', lectures: [lecture(`atomic-${n}`)] }],
  }));
  const one = await checked(rows);
  await imports.run(one);
  await imports.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no space'; end $$;
     create trigger refuse before insert on lectures for each row when (new.slug = 'atomic-1')
       execute function refuse()`,
  );
  await imports.worker.turn();
  expect(await imports.read(one)).toMatchObject({ state: 'running', rows_done: 0 });
  expect(await courseOf(slugs[0] ?? '')).toBeUndefined();
  await imports.database.query('drop trigger refuse on lectures; drop function refuse');
  await imports.database.query(`update imports set due_at = now() where id = $1`, [one['id']]);
  await imports.work();
  expect(await imports.read(one)).toMatchObject({ state: 'completed', rows_created: 2 });
  for (const slug of slugs) expect(await curriculumOf(await courseOf(slug))).toMatchObject({ lectures_count: 1 });
});

it('needs the scopes of courses and of curricula to start and to run an import, and one of each to see it', async () => {
  const one = await checked([{ slug: unique('scoped'), name: 'Scoped' }]);
  const body = { collection: 'courses', format: 'jsonl', upload_id: one['upload_id'] };
  const students = 'students:read students:write';
  const without = await imports.api.token(`${students} courses:write`);
  const refused = await imports.api.send('POST', '/api/v1/imports', { token: without, body });
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="curriculum:write"'),
  ]);
  expect((await imports.api.send('GET', importPath(one), { token: without })).status).toBe(404);
  const reader = await imports.api.token(`${students} courses:read curriculum:read`);
  expect((await imports.api.send('GET', importPath(one), { token: reader })).status).toBe(200);
  expect((await imports.api.send('POST', `${importPath(one)}/run`, { token: reader, body: {} })).status).toBe(403);
  const writer = await imports.api.token(`${students} courses:write curriculum:write`);
  expect((await imports.api.send('POST', `${importPath(one)}/run`, { token: writer, body: {} })).status).toBe(200);
});
