import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { publishedCourse, toolCaller } from './tool-caller.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

let counter = 0;
const unique = (): string => `${process.pid}-${Date.now().toString(36)}-${++counter}`;
const address = (): string => `student-${unique()}@example.com`;

async function student(body: object = {}): Promise<{ id: string; email: string; etag: string }> {
  const response = await api.send<{ id: string; email: string }>('POST', '/api/v1/students', {
    body: { email: address(), name: 'Mei', ...body },
  });
  expect(response.status).toBe(201);
  return { ...response.body, etag: response.headers['etag'] ?? '' };
}

async function course(): Promise<string> {
  const { body } = await api.send<{ id: string }>('POST', '/api/v1/courses', {
    body: { name: 'A course', slug: `c-${unique()}` },
  });
  return body.id;
}

const enroll = (student_id: string, body: object) =>
  api.send<{ id: string; state: string; started_at: string }>('POST', `/api/v1/students/${student_id}/enrollments`, {
    body,
  });

/** Line breaks, other control characters, and invisible characters (Unicode category Cf). */
const NOT_IN_NAMES = ['\n', '\r\n', '\t', '\u0085', '\u2028', '\u2029', '\u202e', '\u200b', '\ufeff'];

describe('a name', () => {
  it.each(NOT_IN_NAMES)('refuses %j in the name of a student', async (character) => {
    const name = `Bob${character}http://evil.example`;
    const added = await api.send('POST', '/api/v1/students', { body: { email: address(), name } });
    expect(added.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/name' }] });
    const { id } = await student();
    const changed = await api.send('PATCH', `/api/v1/students/${id}`, { body: { name } });
    expect(changed.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/name' }] });
  });

  it.each(['name', 'subtitle'])('refuses a line break in the %s of a course', async (member) => {
    const body = { name: 'A course', slug: `c-${unique()}`, [member]: 'One\u2028Two' };
    const response = await api.send('POST', '/api/v1/courses', { body });
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: `/${member}` }] });
  });

  it('accepts the letters of every script, and line breaks in a description', async () => {
    const { id } = await student();
    for (const name of ['林美', 'Ḥusayn ibn ʿAlī', 'O’Connor-Łukasz, Jr.', 'नेहा']) {
      const response = await api.send('PATCH', `/api/v1/students/${id}`, { body: { name } });
      expect([response.status, response.body['name']]).toEqual([200, name]);
    }
    const description_html = '<p>One\r\n\tTwo</p>';
    const body = { name: 'A course', slug: `c-${unique()}`, description_html };
    expect((await api.send('POST', '/api/v1/courses', { body })).body).toMatchObject({
      description_html: expect.stringMatching(/One\r?\n\tTwo/),
    });
  });
});

describe('changing a student', () => {
  it('merges the patch into the student', async () => {
    const { id, email } = await student({ phone_number: '+886912345678', tags: ['a'] });
    const response = await api.send('PATCH', `/api/v1/students/${id}`, {
      body: { phone_number: null, locale: 'zh-TW' },
    });
    expect(response.body).toMatchObject({ email, phone_number: null, locale: 'zh-TW', tags: ['a'] });
  });

  it('corrects the address in lower case and frees the previous one', async () => {
    const { id, email, etag } = await student();
    const next = address();
    const patch = { body: { email: next.toUpperCase() }, headers: { 'if-match': etag } };
    const response = await api.send('PATCH', `/api/v1/students/${id}`, patch);
    expect([response.status, response.body]).toMatchObject([200, { id, email: next, member_id: null }]);
    const events = await api.events.of([id], 2);
    expect(events[1]).toMatchObject({ type: 'school.student.updated.v1', data: { email: next, person_id: null } });
    expect((await api.send('PATCH', `/api/v1/students/${id}`, patch)).status).toBe(412);
    const same = await api.send('PATCH', `/api/v1/students/${id}`, { body: { email: next } });
    expect(same.headers['etag']).toBe(response.headers['etag']);
    expect((await api.send('POST', '/api/v1/students', { body: { email } })).status).toBe(201);
  });

  it('refuses an address of another student of the site and accepts one of another site', async () => {
    const [mine, other] = [await student(), await student()];
    const patch = (email: unknown) => api.send('PATCH', `/api/v1/students/${mine.id}`, { body: { email } });
    const taken = await patch(other.email.toUpperCase());
    expect([taken.status, taken.body]).toMatchObject([
      409,
      { code: 'already_exists', errors: [{ pointer: '/email', code: 'already_exists' }] },
    ]);
    for (const email of ['', 'a@b', 'a b@example.com', null]) {
      expect((await patch(email)).body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/email' }] });
    }
    const email = address();
    expect((await api.send('POST', '/api/v1/students', { site: api.sites[1], body: { email } })).status).toBe(201);
    expect((await patch(email)).status).toBe(200);
  });

  it('honors If-Match and does not count an enrollment as an edit', async () => {
    const { id, etag } = await student();
    await enroll(id, { course_id: await course() });
    const patch = (name: string) =>
      api.send('PATCH', `/api/v1/students/${id}`, { body: { name }, headers: { 'if-match': etag } });
    expect((await patch('One')).status).toBe(200);
    expect((await patch('Two')).status).toBe(412);
  });
});

describe('an erased student', () => {
  async function erased(): Promise<{ id: string; email: string }> {
    const { id } = await student({ external_id: unique() });
    const email = `${id}@deleted.invalid`;
    await withDatabase(api.databaseUrl, (client) =>
      client.query(`update students set state = 'removed', email = $2 where id = $1`, [id, email]),
    );
    return { id, email };
  }

  it('stays removed and keeps its address', async () => {
    const { id, email } = await erased();
    const path = `/api/v1/students/${id}`;
    const { body: before } = await api.send('GET', path);
    expect(before).toMatchObject({ email, state: 'removed' });
    const requests: (readonly [string, string, object])[] = [
      ['POST', `${path}/restore`, {}],
      ['PATCH', path, { email: address() }],
      ['PUT', `/api/v1/students/by_external_id/${String(before['external_id'])}`, { email: address() }],
    ];
    for (const [method, at, body] of requests) {
      const refused = await api.send(method, at, { body });
      expect([method, refused.status, refused.body['code']]).toEqual([method, 409, 'invalid_state']);
    }
    expect((await api.send('GET', path)).body).toEqual(before);
  });

  it('cannot be named by its address in a request', async () => {
    const { email } = await erased();
    const { id } = await student();
    const field = { pointer: '/email', code: 'invalid_value', detail: 'The domain deleted.invalid is reserved' };
    for (const [method, path] of [
      ['POST', '/api/v1/students'],
      ['PATCH', `/api/v1/students/${id}`],
    ] as const) {
      const refused = await api.send(method, path, { body: { email: email.toUpperCase() } });
      expect([refused.status, refused.body['errors']]).toEqual([422, [field]]);
    }
    const { call } = toolCaller(api);
    const caller = { scopes: ['students:write'] };
    const { slug: course_slug } = await publishedCourse(api);
    expect(await call('enroll_student', { email, course_slug }, caller)).toMatchObject({ errors: [field] });
    expect(await call('enroll_students', { students: [{ email }], course_slug }, caller)).toMatchObject({
      errors: [{ ...field, pointer: '/students/0/email' }],
    });
  });
});
