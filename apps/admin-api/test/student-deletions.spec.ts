import { STUDENT_IN_USE } from '#src/students/student.repository.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { at, newLearner } from './learner.js';
import { unique } from './new-course.js';
import { publishedCourse } from './tool-caller.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

async function newStudent(): Promise<{ id: string; email: string }> {
  const body = { email: `${unique('student')}@example.com` };
  const made = await api.send<{ id: string; email: string }>('POST', '/api/v1/students', { body });
  expect(made.status).toBe(201);
  return made.body;
}

describe('deleting a student', () => {
  it('deletes one without history, and publishes a removal for auth', async () => {
    const { id, email } = await newStudent();
    expect((await api.send('DELETE', `/api/v1/students/${id}`)).status).toBe(204);
    expect((await api.send('GET', `/api/v1/students/${id}`)).status).toBe(404);
    const [, deleted] = await api.events.of([id], 2);
    expect(deleted).toMatchObject({
      type: 'school.student.deleted.v1',
      aggregate_version: 2,
      data: { email, state: 'removed' },
    });
    expect((await api.send('POST', '/api/v1/students', { body: { email } })).status).toBe(201);
  });

  it('refuses one with live or ended access', async () => {
    const { id } = await newStudent();
    const { id: course_id } = await publishedCourse(api);
    const { body } = await api.send<{ id: string }>('POST', `/api/v1/students/${id}/enrollments`, {
      body: { course_id },
    });
    const remove = async () => {
      const refused = await api.send('DELETE', `/api/v1/students/${id}`);
      return [refused.status, refused.body['code']];
    };
    expect(await remove()).toEqual([409, 'resource_in_use']);
    await api.send('POST', `/api/v1/students/${id}/enrollments/${body.id}/revoke`);
    expect(await remove()).toEqual([409, 'resource_in_use']);
    expect((await api.send('GET', `/api/v1/students/${id}`)).status).toBe(200);
  });

  it('refuses one with a row in any table that names students', async () => {
    const { rows } = await withDatabase(api.databaseUrl, (client) =>
      client.query<{ name: string }>(
        `select table_name as name from information_schema.columns
         where table_schema = 'public' and column_name = 'student_id' order by 1`,
      ),
    );
    // Rows of an enrollment, and copies that follow their own sources.
    const indirect = ['course_reviews', 'progress'];
    const tables = rows.map(({ name }) => name).filter((name) => !indirect.includes(name));
    expect(tables.length).toBeGreaterThan(5);
    expect(tables.filter((name) => !new RegExp(`from ${name} `).test(STUDENT_IN_USE))).toEqual([]);
  });
});

it('shows when a student last watched a lecture, with another entity tag', async () => {
  const learner = await newLearner(api);
  const path = `/api/v1/students/${learner.student_id}`;
  const before = await api.send('GET', path);
  expect(before.body['last_seen_at']).toBeNull();
  for (const [lecture_id, minute] of [
    [learner.lectures[0], 5],
    [learner.lectures[1], 3],
  ] as const) {
    const body = {
      course_id: learner.course_id,
      lecture_id,
      position_seconds: 1,
      completed: false,
      watched_at: at(minute),
    };
    const recorded = await api.send('POST', `${path}/progress`, { body });
    expect([200, 201]).toContain(recorded.status);
  }
  const tag = String(before.headers['etag']);
  const after = await api.send('GET', path, { headers: { 'if-none-match': tag } });
  expect([after.status, after.body['last_seen_at']]).toEqual([200, at(5)]);
  const edited = await api.send('PATCH', path, { body: { name: 'Lin' }, headers: { 'if-match': tag } });
  expect(edited.body).toMatchObject({ name: 'Lin', last_seen_at: at(5) });
});
