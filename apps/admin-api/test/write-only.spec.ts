import { randomUUID } from 'node:crypto';

import type { ReceivedResponse } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

const members = ({ body }: ReceivedResponse): string[] => Object.keys(body).toSorted();
const address = (): string => `${randomUUID()}@example.com`;

interface Request {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function sendWith(scope: string, method: string, path: string, request: Request = {}): Promise<ReceivedResponse> {
  return api.send(method, path, { ...request, token: await api.token(scope) });
}
const writeOnly = (method: string, path: string, request?: Request): Promise<ReceivedResponse> => {
  const [collection = ''] = path.replace('/api/v1/', '').split(/[/?]/);
  return sendWith(`${collection}:write`, method, path, request);
};

const SECRETS = { phone_number: '+886912345678', external_id: randomUUID(), tags: ['vip'], locale: 'zh-TW' };

async function knownStudent(): Promise<{ id: string; email: string }> {
  const body = { email: address(), name: 'Mei Lin', ...SECRETS, external_id: randomUUID() };
  const { body: student } = await api.send<{ id: string; email: string }>('POST', '/api/v1/students', { body });
  return student;
}

describe('a write without the read scope', () => {
  it('returns the whole object that a write has changed', async () => {
    const body = { email: address() };
    const created = await writeOnly('POST', '/api/v1/students', { body });
    expect([created.status, created.body]).toMatchObject([201, { ...body, phone_number: null, state: 'active' }]);
    const path = `/api/v1/students/${String(created.body['id'])}`;
    const changed = await writeOnly('PATCH', path, { body: { locale: 'en' } });
    expect(changed.body).toEqual({ ...created.body, locale: 'en', updated_at: changed.body['updated_at'] });
  });

  it('returns only the id of a student that the site knows', async () => {
    const { id, email } = await knownStudent();
    const guess = { email, name: 'Guess', ...SECRETS };
    for (const path of ['/api/v1/students', '/api/v1/students?dry_run=true']) {
      const response = await writeOnly('POST', path, { body: guess });
      expect([response.status, response.body['errors']]).toEqual([
        409,
        [{ pointer: '/email', code: 'already_exists', detail: 'Taken by another student', id }],
      ]);
      for (const secret of ['Mei Lin', SECRETS.phone_number]) expect(response.text).not.toContain(secret);
    }
  });

  it('returns the restored student, and only the id of an active one', async () => {
    const { id } = await knownStudent();
    await withDatabase(api.databaseUrl, (client) =>
      client.query(`update students set state = 'removed' where id = $1`, [id]),
    );
    const restore = () => writeOnly('POST', `/api/v1/students/${id}/restore`, { body: {} });
    expect((await restore()).body).toMatchObject({ id, state: 'active' });
    expect(members(await restore())).toEqual(['id', 'updated_at']);
  });

  it('returns only the sent members for a no-op or a dry run of a patch', async () => {
    const { id } = await knownStudent();
    const path = `/api/v1/students/${id}`;
    expect(members(await writeOnly('PATCH', path, { body: {} }))).toEqual(['id', 'updated_at']);
    expect((await writeOnly('PATCH', path, { body: { tags: ['vip'] } })).body).toEqual({
      id,
      tags: ['vip'],
      updated_at: expect.any(String),
    });
    expect((await writeOnly('PATCH', `${path}?dry_run=true`, { body: { tags: null, name: 'Lin' } })).body).toEqual({
      dry_run: true,
      id,
      name: 'Lin',
      tags: [],
      updated_at: expect.any(String),
    });
    const tag = (await writeOnly('PATCH', path, { body: {} })).headers['etag'];
    expect((await writeOnly('PATCH', path, { body: {}, headers: { 'if-match': String(tag) } })).status).toBe(200);
  });

  it('returns neither the state nor the texts of a course in a dry run', async () => {
    const { id } = await newCourse(api, { subtitle: 'Secret', seo: { title: 'Secret', description: 'Secret' } });
    const path = `/api/v1/courses/${id}`;
    expect(members(await writeOnly('PATCH', path, { body: {} }))).toEqual(['id', 'updated_at']);
    for (const [method, move] of [
      ['POST', '/publish'],
      ['DELETE', ''],
    ]) {
      const response = await writeOnly(method!, `${path}${move!}?dry_run=true`);
      expect([response.status, members(response)]).toEqual([200, ['dry_run', 'id', 'updated_at']]);
    }
    const part = await writeOnly('PATCH', `${path}?dry_run=true`, { body: { seo: { title: 'Open' } } });
    expect(part.body).toEqual({ dry_run: true, id, seo: { title: 'Open' }, updated_at: expect.any(String) });
  });

  it('returns no color that the request has not set', async () => {
    const path = '/api/v1/appearance';
    await api.send('PATCH', path, { body: { theme: { accent_color: '#0b5c86', corners: 'small' } } });
    expect(members(await writeOnly('PATCH', path, { body: {} }))).toEqual(['updated_at']);
    const dry = await writeOnly('PATCH', `${path}?dry_run=true`, { body: { theme: { corners: 'large' } } });
    expect(dry.body).toEqual({ dry_run: true, theme: { corners: 'large' }, updated_at: expect.any(String) });
    const revisions = await api.send<{ data: { id: string }[] }>('GET', `${path}/revisions`);
    const restored = await writeOnly('POST', `${path}/revisions/${revisions.body.data[0]!.id}/restore?dry_run=true`);
    expect(members(restored)).toEqual(['dry_run', 'updated_at']);
  });

  it('returns the course of a live enrollment, and only its id for other terms', async () => {
    const { id } = await knownStudent();
    const { id: course_id } = await newCourse(api);
    const path = `/api/v1/students/${id}/enrollments`;
    const expires_at = '2999-01-01T00:00:00Z';
    const known = await api.send('POST', path, { body: { course_id, expires_at } });
    for (const query of ['', '?dry_run=true']) {
      const other = await writeOnly('POST', path + query, { body: { course_id, expires_at: null } });
      expect([other.status, other.body['errors']]).toMatchObject([409, [{ id: known.body['id'] }]]);
      expect(other.text).not.toContain('2999');
      const again = await writeOnly('POST', path + query, { body: { course_id, expires_at } });
      const { dry_run: _dryRun, ...shown } = again.body;
      expect([again.status, shown]).toEqual([
        200,
        { id: expect.any(String), course_id, updated_at: expect.any(String) },
      ]);
    }
  });

  it('replays its own response, and only a part of one made with the read scope', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { email: address(), name: 'Mei' };
    const own = await writeOnly('POST', '/api/v1/students', { body, headers: key });
    expect((await writeOnly('POST', '/api/v1/students', { body, headers: key })).body).toEqual(own.body);
    const { id } = await knownStudent();
    const other = { 'idempotency-key': randomUUID() };
    const path = `/api/v1/students/${id}`;
    const scopes = 'students:read students:write';
    const first = await sendWith(scopes, 'PATCH', path, { body: { locale: 'en' }, headers: other });
    const replayed = await writeOnly('PATCH', path, { body: { locale: 'en' }, headers: other });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.body).toEqual({ id, locale: 'en', updated_at: expect.any(String) });
    expect((await sendWith(scopes, 'PATCH', path, { body: { locale: 'en' }, headers: other })).body).toEqual(
      first.body,
    );
  });
});

describe('a tool without the read scope', () => {
  const WRITE = { scopes: ['students:write'] };

  it.each([true, false])(
    'returns the id and the slug of a draft from enroll_student, not its name (dry run: %s)',
    async (dry_run) => {
      const { id, slug } = await newCourse(api, { hidden: true });
      const args = { email: address(), course_slug: slug, dry_run };
      const { course } = await call('enroll_student', args, WRITE);
      expect(course).toEqual({ id, slug });
      const read = { scopes: ['students:write', 'courses:read'] };
      expect(await call('enroll_student', { ...args, email: address() }, read)).toMatchObject({
        course: { id, slug, name: expect.any(String) },
      });
    },
  );

  it('returns only the requested identity of a student from enroll_student', async () => {
    const { id: course_id } = await newCourse(api);
    const { id, email } = await knownStudent();
    expect(await call('enroll_student', { student_id: id, course_id, dry_run: true }, WRITE)).toMatchObject({
      student: { id },
    });
    const byId = await call<{ student: object }>('enroll_student', { student_id: id, course_id }, WRITE);
    const byEmail = await call<{ student: object; enrollment: object }>(
      'enroll_student',
      { email, name: 'Guess', course_id },
      WRITE,
    );
    expect([byId.student, byEmail.student]).toEqual([{ id }, { id, email }]);
    expect(Object.keys(byEmail.enrollment).toSorted()).toEqual(['course_id', 'id', 'student_id', 'updated_at']);
    const read = { scopes: ['students:write', 'students:read'] };
    expect(await call('enroll_student', { student_id: id, course_id }, read)).toMatchObject({
      student: { id, email, name: 'Mei Lin' },
      enrollment: { state: 'active' },
    });
  });

  it('returns the sent members from a dry run of update_course and update_appearance', async () => {
    const { id } = await newCourse(api, { subtitle: 'Secret' });
    expect(await call('update_course', { id, featured: true, dry_run: true }, { scopes: ['courses:write'] })).toEqual({
      dry_run: true,
      course: { id, featured: true, updated_at: expect.any(String) },
    });
    const look = { footer: [], dry_run: true };
    expect(await call('update_appearance', look, { scopes: ['appearance:write'] })).toEqual({
      dry_run: true,
      appearance: { footer: [], updated_at: expect.any(String) },
    });
  });
});

describe('a dry run of something new', () => {
  const first = (body: object): [string, unknown][] => Object.entries(body).slice(0, 2);

  it('starts the body with dry_run: true and id: null', async () => {
    const course = { name: 'A course', slug: `dry-${randomUUID()}` };
    const { id: student_id } = await knownStudent();
    const { id: course_id } = await newCourse(api);
    for (const [path, body] of [
      ['courses', course],
      ['students', { email: address() }],
      [`students/${student_id}/enrollments`, { course_id }],
    ] as const) {
      const response = await api.send('POST', `/api/v1/${path}?dry_run=true`, { body });
      expect([response.status, first(response.body)]).toEqual([
        200,
        [
          ['dry_run', true],
          ['id', null],
        ],
      ]);
    }
  });

  it('starts the result of a tool with dry_run: true and has id: null', async () => {
    const all = { scopes: ['courses:write', 'courses:read', 'students:write', 'students:read'] };
    const made = await call<{ course: object }>(
      'create_course',
      { name: 'A course', slug: `dry-${randomUUID()}`, dry_run: true },
      all,
    );
    expect([first(made)[0], first(made.course)[0]]).toEqual([
      ['dry_run', true],
      ['id', null],
    ]);
    const { id: course_id } = await newCourse(api);
    const enrolled = await call('enroll_student', { email: address(), course_id, dry_run: true }, all);
    expect(first(enrolled)[0]).toEqual(['dry_run', true]);
    expect(enrolled).toMatchObject({
      enrollment: { id: null, student_id: null, course_id },
      student: { id: null },
      student_added: true,
    });
    const { id: student_id } = await knownStudent();
    expect(await call('enroll_student', { student_id, course_id, dry_run: true }, all)).toMatchObject({
      enrollment: { id: null, student_id },
      student: { id: student_id },
    });
  });

  it('keeps the id of an existing object', async () => {
    const { id } = await newCourse(api);
    const response = await api.send('PATCH', `/api/v1/courses/${id}?dry_run=true`, { body: { name: 'Other' } });
    expect(Object.entries(response.body).slice(0, 2)).toEqual([
      ['dry_run', true],
      ['id', id],
    ]);
  });
});
