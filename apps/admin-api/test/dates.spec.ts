import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';

/** The second of December begins in Taipei at this instant. */
const START = '2090-12-01T16:00:00.000Z';
const DATE = '2090-12-02';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
  const { status, text } = await api.send('PATCH', '/api/v1/school', { body: { timezone: 'Asia/Taipei' } });
  if (status !== 200) throw new Error(text);
});
afterAll(() => api.stop());

async function enrolled(expires_at: string, site = api.sites[0]) {
  const { id: course_id } = await newCourse(api, {}, site);
  const student = await api.send('POST', '/api/v1/students', { site, body: { email: `${unique('s')}@example.com` } });
  const body = { student_id: student.body['id'], course_id, expires_at };
  const response = await api.send('POST', '/api/v1/enrollments', { site, body });
  return { course_id, ...response };
}

describe('a date in place of an instant', () => {
  it('begins in the time zone of the school, in a body', async () => {
    const { status, body } = await enrolled(DATE);
    expect([status, body['expires_at']]).toEqual([201, START]);
    const changed = await api.send('PATCH', `/api/v1/enrollments/${String(body['id'])}`, {
      body: { expires_at: '2091-01-01' },
    });
    expect(changed.body['expires_at']).toBe('2090-12-31T16:00:00.000Z');
  });

  it('begins in UTC for a school without a time zone', async () => {
    const { body } = await enrolled(DATE, api.sites[1]);
    expect(body['expires_at']).toBe(`${DATE}T00:00:00.000Z`);
  });

  it('filters a list on both sides of the start', async () => {
    const { course_id, body } = await enrolled(DATE);
    const found = async (comparison: string): Promise<unknown[]> => {
      const path = `/api/v1/enrollments?course_id=${course_id}&expires_at[${comparison}]=${DATE}`;
      const { body: page } = await api.send<{ data: { id: string }[] }>('GET', path);
      return page.data.map(({ id }) => id);
    };
    expect([await found('gte'), await found('lte')]).toEqual([[body['id']], [body['id']]]);
    expect([await found('gt'), await found('lt')]).toEqual([[], []]);
  });

  it('takes effect in a tool, and in an operation that a tool runs', async () => {
    const { body } = await enrolled('2089-01-01');
    const id = String(body['id']);
    const call = toolCaller(api).call.bind(toolCaller(api));
    const scopes = ['students:read', 'students:write'];
    const student_id = String(body['student_id']);
    const updated = await call<{ enrollment: { expires_at: string } }>(
      'update_enrollment',
      { student_id, enrollment_id: id, expires_at: DATE },
      { scopes },
    );
    expect(updated.enrollment.expires_at).toBe(START);
    const arguments_json = JSON.stringify({ path: { id }, body: { expires_at: '2091-01-01' } });
    const changed = await call<{ body: { expires_at: string } }>(
      'change_operation',
      { operation_id: 'updateEnrollmentById', arguments_json },
      { scopes },
    );
    expect(changed.body.expires_at).toBe('2090-12-31T16:00:00.000Z');
  });

  it.each(['2090-02-30', '2090-13-01', '02-12-2090', '2090-12'])('refuses %s', async (expires_at) => {
    const { status, body } = await enrolled(expires_at);
    expect([status, body['errors']]).toMatchObject([422, [{ pointer: '/expires_at', code: 'invalid_format' }]]);
  });
});
