import { enrollment as enrollmentResource } from '#src/enrollments/enrollment.schema.js';
import { student as resource } from '#src/students/student.schema.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

const UNKNOWN_ID = '019ab3c0-0000-7000-8000-000000000000';
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

async function course(...moves: string[]): Promise<string> {
  const { body } = await api.send<{ id: string }>('POST', '/api/v1/courses', {
    body: { name: 'A course', slug: `c-${unique()}` },
  });
  for (const move of moves) await api.send('POST', `/api/v1/courses/${body.id}/${move}`);
  return body.id;
}

const enroll = (student_id: string, body: object) =>
  api.send<{ id: string; state: string; started_at: string }>('POST', `/api/v1/students/${student_id}/enrollments`, {
    body,
  });

const countOf = async (collection: string, id: string) =>
  (await api.send('GET', `/api/v1/${collection}/${id}`)).body['enrollments_count'];

describe('adding a student', () => {
  it('returns 201, then 409 with the id for the address in any case', async () => {
    const email = address();
    const first = await api.send('POST', '/api/v1/students', { body: { email: email.toUpperCase(), name: 'Mei' } });
    expect(first.status).toBe(201);
    expect(resource.object.strict().parse(first.body)).toMatchObject({
      email,
      name: 'Mei',
      state: 'active',
      enrollments_count: 0,
    });
    expect(first.headers['location']).toBe(`${api.sites[0].base_url}/api/v1/students/${String(first.body['id'])}`);
    const again = await api.send('POST', '/api/v1/students', { body: { email, name: 'Other' } });
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 'already_exists', errors: [{ pointer: '/email', code: 'already_exists', id: first.body['id'] }] },
    ]);
    expect(again.headers['location']).toBeUndefined();
    const elsewhere = await api.send('POST', '/api/v1/students', { site: api.sites[1], body: { email } });
    expect(elsewhere.status).toBe(201);
    expect(elsewhere.body['id']).not.toBe(first.body['id']);
  });

  it('creates one student for many concurrent requests', async () => {
    const email = address();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.send('POST', '/api/v1/students', { body: { email } })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = responses.filter(({ status }) => status === 409).map(({ body }) => body['errors']);
    expect(refused).toHaveLength(7);
    const id = responses.find(({ status }) => status === 201)?.body['id'];
    expect(refused.every((errors) => (errors as { id: string }[])[0]?.id === id)).toBe(true);
  });

  it('requests a mail only on demand and names a student without a name by the address', async () => {
    const silent = await student({ name: undefined });
    const loud = await student({ send_welcome_email: true });
    const events = await api.events.of([silent.id, loud.id], 2);
    expect(events).toMatchObject([
      {
        type: 'school.student.created.v1',
        aggregate_version: 1,
        data: { send_welcome_email: false, name: silent.email.split('@')[0] },
      },
      { type: 'school.student.created.v1', data: { send_welcome_email: true } },
    ]);
  });

  it('refuses an external id that another student has', async () => {
    const external_id = unique();
    const { id } = await student({ external_id });
    const response = await api.send('POST', '/api/v1/students', { body: { email: address(), external_id } });
    expect(response.body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/external_id' }] });
    const other = await student();
    const patched = await api.send('PATCH', `/api/v1/students/${other.id}`, { body: { external_id } });
    expect([patched.status, patched.body['code']]).toEqual([409, 'already_exists']);
    expect((await api.send('PATCH', `/api/v1/students/${id}`, { body: { external_id } })).status).toBe(200);
  });

  it('puts a student by the external id and refuses an address that another student has', async () => {
    const [external_id, email] = [unique(), address()];
    const put = (body: object) => api.send('PUT', `/api/v1/students/by_external_id/${external_id}`, { body });
    const added = await put({ email, name: 'Mei', send_welcome_email: true });
    expect([added.status, added.body]).toMatchObject([201, { email, name: 'Mei', external_id }]);
    const changed = await put({ email, phone_number: '+886912345678', send_welcome_email: true });
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'Mei', phone_number: '+886912345678' }]);
    const events = await api.events.of([String(added.body['id'])], 2);
    expect(events.map(({ data }) => data['send_welcome_email'])).toEqual([true, false]);
    const other = await student();
    expect((await put({ email: other.email })).body).toMatchObject({ code: 'already_exists' });
    const unknown = await api.send('PUT', `/api/v1/students/by_external_id/${unique()}`, { body: { email } });
    expect(unknown.body).toMatchObject({ code: 'already_exists', errors: [{ id: added.body['id'] }] });
  });

  it.each(['', 'x', 'a@b', 'a b@example.com', `${'x'.repeat(250)}@example.com`])(
    'refuses %j as an address',
    async (email) => {
      const response = await api.send('POST', '/api/v1/students', { body: { email } });
      expect(response.body).toMatchObject({ code: 'validation_failed' });
    },
  );
});

describe('listing students', () => {
  it('finds by address, by text and by state and forbids caching of personal data', async () => {
    const { id, email } = await student({ name: 'Rare Bird' });
    for (const query of [
      `email=${email.toUpperCase()}`,
      `q=${email.slice(0, 20)}&limit=100`,
      `q=RARE%20bird&state=active&limit=100`,
      `q=bird%20${email.slice(-20)}%20rare&limit=100`,
    ]) {
      const response = await api.send('GET', `/api/v1/students?${query}`);
      expect(resource.list.parse(response.body).data.map((one) => one.id)).toContain(id);
      expect(response.headers['cache-control']).toBe('private, no-store');
    }
    const removed = await api.send('GET', `/api/v1/students?email=${email}&state=removed`);
    expect(resource.list.parse(removed.body).data).toEqual([]);
  });
});

describe('enrolling', () => {
  it('returns 201, then 200 with the live enrollment, and counts it once', async () => {
    const [{ id }, course_id] = [await student(), await course('publish')];
    const first = await enroll(id, { course_id });
    expect(first.status).toBe(201);
    expect(enrollmentResource.object.strict().parse(first.body)).toMatchObject({
      student_id: id,
      course_id,
      state: 'active',
      source: 'manual',
      has_lifetime_access: true,
    });
    expect((await api.send('GET', new URL(first.headers['location'] ?? '').pathname)).body).toEqual(first.body);
    for (const terms of [{}, { expires_at: null }]) {
      const again = await enroll(id, { course_id, ...terms });
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    const { body: other } = await enroll(id, { course_id, expires_at: '2999-01-01T00:00:00Z' });
    expect(other).toMatchObject({ status: 409, code: 'already_exists', errors: [{ id: first.body.id }] });
    expect([await countOf('courses', course_id), await countOf('students', id)]).toEqual([1, 1]);
  });

  it('enrolls in a draft and in an unpublished course, not in an archived one', async () => {
    const { id } = await student();
    expect((await enroll(id, { course_id: await course() })).status).toBe(201);
    expect((await enroll(id, { course_id: await course('publish', 'unpublish') })).status).toBe(201);
    const archived = await course('publish', 'unpublish', 'archive');
    const refused = await enroll(id, { course_id: archived });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'invalid_state' }]);
    expect(await countOf('courses', archived)).toBe(0);
  });

  it('refuses courses and students that are not of the site', async () => {
    const [{ id }, course_id] = [await student(), await course()];
    const foreign = await api.send<{ id: string }>('POST', '/api/v1/courses', {
      site: api.sites[1],
      body: { name: 'x', slug: `c-${unique()}` },
    });
    for (const missing of [UNKNOWN_ID, foreign.body.id]) {
      const response = await enroll(id, { course_id: missing });
      expect(response.body).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/course_id', code: 'not_found' }],
      });
    }
    expect((await enroll(UNKNOWN_ID, { course_id })).status).toBe(404);
    const path = `/api/v1/students/${id}/enrollments`;
    expect((await api.send('POST', path, { site: api.sites[1], body: { course_id: foreign.body.id } })).status).toBe(
      404,
    );
    expect((await api.send('GET', path, { site: api.sites[1] })).status).toBe(404);
    expect((await api.send('GET', `/api/v1/students/${UNKNOWN_ID}/enrollments`)).status).toBe(404);
  });

  it('accepts only an end in the future', async () => {
    const [{ id }, course_id] = [await student(), await course()];
    const past = await enroll(id, { course_id, expires_at: new Date(Date.now() - 1000).toISOString() });
    expect(past.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/expires_at' }] });
    const future = await enroll(id, { course_id, expires_at: '2999-01-01T08:00:00+08:00' });
    expect(future.body).toMatchObject({ expires_at: '2999-01-01T00:00:00.000Z', has_lifetime_access: false });
  });

  it('counts exactly during concurrent enrolling and revoking', async () => {
    const course_id = await course('publish');
    const students = await Promise.all(Array.from({ length: 10 }, () => student()));
    const rounds = await Promise.all(
      students.flatMap(({ id }) =>
        [1, 2, 3].map(async () => {
          const { body } = await enroll(id, { course_id });
          return { id, enrollment: body.id };
        }),
      ),
    );
    expect(await countOf('courses', course_id)).toBe(10);
    expect(new Set(rounds.map(({ enrollment }) => enrollment)).size).toBe(10);
    await Promise.all(
      rounds.map(async ({ id, enrollment }, index) =>
        index % 2 === 0
          ? api.send('POST', `/api/v1/students/${id}/enrollments/${enrollment}/revoke`)
          : enroll(id, { course_id }),
      ),
    );
    const live = await Promise.all(
      students.map(async ({ id }) => {
        const { body } = await api.send('GET', `/api/v1/students/${id}/enrollments?state=active&include_total=true`);
        const count = enrollmentResource.list.parse(body).page.total_count ?? -1;
        expect(await countOf('students', id)).toBe(count);
        return count;
      }),
    );
    expect(await countOf('courses', course_id)).toBe(live.reduce((sum, count) => sum + count, 0));
  });
});

describe('extending an enrollment', () => {
  it('sets the end, honors If-Match and refuses an end in the past', async () => {
    const [{ id }, course_id] = [await student(), await course()];
    const { body, headers } = await enroll(id, { course_id });
    const path = `/api/v1/students/${id}/enrollments/${body.id}`;
    const until = { expires_at: '2999-01-01T00:00:00.000Z' };
    const extended = await api.send('PATCH', path, { body: until, headers: { 'if-match': headers['etag'] ?? '' } });
    expect([extended.status, extended.body]).toMatchObject([200, { ...until, has_lifetime_access: false }]);
    expect((await api.send('PATCH', path, { body: until })).headers['etag']).toBe(extended.headers['etag']);
    const stale = await api.send('PATCH', path, { body: {}, headers: { 'if-match': headers['etag'] ?? '' } });
    expect(stale.status).toBe(412);
    const past = await api.send('PATCH', path, { body: { expires_at: '2020-01-01T00:00:00Z' } });
    expect(past.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/expires_at' }] });
  });
});

describe('revoking an enrollment', () => {
  it('ends an enrollment once, and enrolling makes it active again', async () => {
    const [{ id }, course_id] = [await student(), await course('publish')];
    const { body } = await enroll(id, { course_id });
    const revoke = () => api.send('POST', `/api/v1/students/${id}/enrollments/${body.id}/revoke`);
    const first = await revoke();
    expect([first.status, first.body['state']]).toEqual([200, 'revoked']);
    expect([await countOf('courses', course_id), await countOf('students', id)]).toEqual([0, 0]);
    const second = await revoke();
    expect([second.status, second.body, second.headers['etag']]).toEqual([200, first.body, first.headers['etag']]);
    const back = await enroll(id, { course_id });
    expect([back.status, back.body.id, back.body.state]).toEqual([200, body.id, 'active']);
    expect(await countOf('courses', course_id)).toBe(1);
    const events = await api.events.of([body.id], 3);
    expect(events.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['school.enrollment.activated.v1', 1],
      ['school.enrollment.revoked.v1', 2],
      ['school.enrollment.activated.v1', 3],
    ]);
  });

  it('refuses to set the end of a revoked enrollment, and adds days to it', async () => {
    const [{ id }, course_id] = [await student(), await course()];
    const { body } = await enroll(id, { course_id });
    const path = `/api/v1/students/${id}/enrollments/${body.id}`;
    await api.send('POST', `${path}/revoke`);
    for (const expires_at of ['2999-01-01T00:00:00Z', null]) {
      const refused = await api.send('PATCH', path, { body: { expires_at } });
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { code: 'invalid_state', detail: expect.stringContaining('extend') },
      ]);
    }
    expect((await api.send('GET', path)).body['state']).toBe('revoked');
    const extended = await api.send('POST', `${path}/extend`, { body: { days: 1 } });
    expect([extended.status, extended.body['state']]).toEqual([200, 'active']);
  });

  it('finds an enrollment only under its own student', async () => {
    const [mine, other, course_id] = [await student(), await student(), await course()];
    const { body } = await enroll(mine.id, { course_id });
    expect((await api.send('POST', `/api/v1/students/${other.id}/enrollments/${body.id}/revoke`)).status).toBe(404);
    expect((await api.send('GET', `/api/v1/students/${other.id}/enrollments/${body.id}`)).status).toBe(404);
  });
});
