import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { toolCaller } from './tool-caller.js';
import { newCourse } from './new-course.js';

const [UNTIL, LATER] = ['2999-01-01T00:00:00.000Z', '2999-02-01T00:00:00.000Z'];
const SHORTENED = { errors: [{ pointer: '/expires_at', code: 'too_small' }] };
const NO_END = { errors: [{ pointer: '/days', code: 'invalid_value' }] };

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

interface Key {
  readonly student_id: string;
  readonly enrollment_id: string;
}

async function enrolled(terms: object): Promise<Key> {
  const { id: course_id } = await newCourse(api);
  const { body } = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
  const student_id = String(body['id']);
  const made = await api.send('POST', '/api/v1/enrollments', { body: { student_id, course_id, ...terms } });
  return { student_id, enrollment_id: String(made.body['id']) };
}

/** The status with the response, of each of the two paths. */
type Send = (key: Key, body: object) => Promise<readonly [number, Record<string, unknown>]>;
const at =
  (path: (key: Key) => string): Send =>
  async (key, body) => {
    const response = await api.send('POST', `/api/v1${path(key)}/extend`, { body });
    return [response.status, response.body];
  };
const flat = at(({ enrollment_id }) => `/enrollments/${enrollment_id}`);
const below = at(({ student_id, enrollment_id }) => `/students/${student_id}/enrollments/${enrollment_id}`);

it.each([
  ['by its id', flat],
  ['of a student', below],
])('extends an enrollment %s until an instant and for life, and shortens nothing', async (_which, extend) => {
  const key = await enrolled({ expires_at: UNTIL });
  expect(await extend(key, { days: 31 })).toMatchObject([200, { expires_at: LATER }]);
  expect(await extend(key, { expires_at: UNTIL })).toMatchObject([422, SHORTENED]);
  const further = '2999-03-01T00:00:00.000Z';
  const first = await extend(key, { expires_at: further });
  expect(first).toMatchObject([200, { expires_at: further, has_lifetime_access: false }]);
  expect(await extend(key, { expires_at: further })).toEqual(first);
  const forLife = await extend(key, { expires_at: null });
  expect(forLife).toMatchObject([200, { expires_at: null, has_lifetime_access: true }]);
  expect(await extend(key, { expires_at: null })).toEqual(forLife);
  expect(await extend(key, { expires_at: further })).toMatchObject([422, SHORTENED]);
  const events = await api.events.of([key.enrollment_id], 4);
  const names = events.map(({ type }) => type.split('.')[2]);
  expect(names).toEqual(['activated', 'extended', 'extended', 'extended']);
});

it.each([[{}], [{ days: 1, expires_at: null }], [{ days: 1, expires_at: LATER }]])(
  'refuses %j, which is not one end, and changes nothing',
  async (body) => {
    const key = await enrolled({ expires_at: UNTIL });
    for (const extend of [flat, below]) expect(await extend(key, body)).toMatchObject([422, NO_END]);
    const shown = await api.send('GET', `/api/v1/enrollments/${key.enrollment_id}`);
    expect(shown.body['expires_at']).toBe(UNTIL);
  },
);

it('adds days on the calendar of the time zone of the school', async () => {
  await api.send('PATCH', '/api/v1/school', { body: { timezone: 'Europe/Berlin' } });
  const key = await enrolled({ expires_at: '2040-03-24T10:30:00.000Z' });
  expect(await flat(key, { days: 1 })).toMatchObject([200, { expires_at: '2040-03-25T09:30:00.000Z' }]);
  await api.send('PATCH', '/api/v1/school', { body: { timezone: null } });
});

it('gives revoked access again until an instant in the future', async () => {
  const key = await enrolled({});
  await api.send('POST', `/api/v1/enrollments/${key.enrollment_id}/revoke`);
  expect(await flat(key, { expires_at: '2020-01-01T00:00:00Z' })).toMatchObject([422, SHORTENED]);
  expect(await flat(key, { expires_at: UNTIL })).toMatchObject([200, { state: 'active', expires_at: UNTIL }]);
});

it('extends by a tool until an instant and for life', async () => {
  const { call } = toolCaller(api);
  const key = await enrolled({ expires_at: UNTIL });
  const extend = (end: object) =>
    call('extend_enrollment', { ...key, ...end }, { scopes: ['students:read', 'students:write'] });
  for (const end of [{}, { days: 1, expires_at: null }, { expires_at: '2020-01-01T00:00:00Z' }]) {
    expect(await extend(end)).toMatchObject({ ok: false, code: 'validation_failed' });
  }
  expect(await extend({ expires_at: LATER })).toMatchObject({ enrollment: { expires_at: LATER } });
  expect(await extend({ expires_at: null })).toMatchObject({ enrollment: { has_lifetime_access: true } });
});
