import { TestExports, pathOf } from './test-exports.js';
import type { Json } from './test-exports.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';
const REST = { required: false, options: [], max_length: null, minimum: null, maximum: null };
const FIELDS = ['name', 'topics', 'agreed'].map((key) => ({ ...REST, key, type: 'text', label: key }));
let exports: TestExports;
let submissions: Json;

beforeAll(async () => {
  exports = await TestExports.open();
  const { site_id } = exports.api.sites[0];
  const {
    rows: [form, other],
  } = await exports.database.query<{ id: string }>(
    `insert into forms (site_id, slug, title, fields, active)
     values ($1, 'contact', 'A form', $2, true), ($1, 'other', 'A form', '[]', true) returning id`,
    [site_id, JSON.stringify(FIELDS)],
  );
  await exports.database.query(
    `insert into form_submissions (site_id, form_id, answers, submitted_at)
     values ($1, $2, $4, '2026-10-02T08:00:00Z'), ($1, $2, '{"old": "x"}', now()), ($1, $3, '{"name": "Lin"}', now())`,
    [site_id, form?.id, other?.id, JSON.stringify({ name: '=1+1', topics: ['a', 'b'], agreed: true })],
  );
  submissions = { collection: 'form_submissions', format: 'csv', filters: { form_id: form?.id } };
});
afterAll(() => exports.close());

it('writes a column for each field of the form at the request', async () => {
  const one = await exports.start(submissions);
  await exports.database.query(`update forms set fields = '[]' where slug = 'contact'`);
  await exports.work();
  const lines = (await exports.fileOf(one)).trimEnd().split('\r\n');
  await exports.database.query(`update forms set fields = $1 where slug = 'contact'`, [JSON.stringify(FIELDS)]);
  expect(lines[0]).toBe(
    'id,form_id,student_id,member_id,answers.name,answers.topics,answers.agreed,submitted_at,created_at,updated_at',
  );
  expect(lines[1]).toContain(`,,,'=1+1,"[""a"",""b""]",true,2026-10-02T08:00:00.000Z,`);
  expect(lines[2]).toContain(',,,,,,');
  expect(lines).toHaveLength(3);
});

it('writes all answers as JSON Lines, also those of removed fields', async () => {
  const lines = (await exports.exported({ ...submissions, format: 'jsonl' })).trimEnd().split('\n');
  const answers = lines.map((line) => (JSON.parse(line) as Json)['answers']);
  expect(answers).toEqual([{ name: '=1+1', topics: ['a', 'b'], agreed: true }, { old: 'x' }]);
});

it.each([
  [{}, 'required'],
  [{ form_id: NONE }, 'not_found'],
])('needs a form of the site: %j', async (filters, code) => {
  const { status, body } = await exports.api.send('POST', '/api/v1/exports', { body: { ...submissions, filters } });
  expect([status, body['errors']]).toEqual([422, [expect.objectContaining({ pointer: '/filters/form_id', code })]]);
});

it('needs the scope of forms, also to be seen', async () => {
  const one = await exports.start(submissions);
  const token = await exports.api.token('students:read orders:read');
  const refused = await exports.api.send('POST', '/api/v1/exports', { token, body: submissions });
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="forms:read"'),
  ]);
  expect((await exports.api.send('GET', pathOf(one), { token })).status).toBe(404);
  expect((await exports.api.send('GET', pathOf(one))).status).toBe(200);
});
