import { randomUUID } from 'node:crypto';
import type { Json } from '@lyceum/rest';
import { eventually } from '@lyceum/testing';
import { STUDENT_IN_USE } from '#src/students/student.repository.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { at, newLearner } from './learner.js';
import { newCourse, unique } from './new-course.js';
import { move, newLectures } from './new-lectures.js';
import { publishedCourse, toolCaller } from './tool-caller.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

async function newStudent(more: object = {}): Promise<{ id: string; email: string }> {
  const body = { email: `${unique('student')}@example.com`, ...more };
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

  it('publishes the removal without the name and the language', async () => {
    const { id, email } = await newStudent({ name: 'Mei Lin', locale: 'zh-TW' });
    await api.send('DELETE', `/api/v1/students/${id}`);
    const [created, deleted] = await api.events.of([id], 2);
    expect(created?.data).toMatchObject({ name: 'Mei Lin', locale: 'zh-TW' });
    expect(deleted?.data).toMatchObject({ student_id: id, email, name: '', locale: null });
  });

  it('reports the deletion in the feed of changes without a personal datum', async () => {
    const external_id = unique('crm');
    const { id } = await newStudent({ name: 'Mei Lin', external_id });
    await api.send('DELETE', `/api/v1/students/${id}`);
    const token = await api.token('students:read');
    const [tombstone] = await eventually(
      async () => {
        const feed = await api.send<{ data: Json[] }>('GET', '/api/v1/changes?type=student.deleted', { token });
        return feed.body.data.filter(({ object_id }) => object_id === id);
      },
      ({ length }) => length > 0,
    );
    expect(tombstone?.['data']).toEqual({ external_id: null, state: 'removed' });
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

it('shows a teacher when a student last watched a lecture of own courses only', async () => {
  const { student_id, course_id, lectures } = await newLearner(api);
  const member_id = randomUUID();
  const body = { name: 'Mei Lin', slug: unique('lecturer') };
  const lecturer = (await api.send('POST', '/api/v1/lecturers', { body })).body['id'];
  await withDatabase(api.databaseUrl, (client) =>
    client.query('update lecturers set member_id = $2 where id = $1', [lecturer, member_id]),
  );
  const own = (await newCourse(api, { lecturer_ids: [lecturer] })).id;
  const [lecture = ''] = await newLectures(api, own, 1);
  await move(api, lecture, 'publish');
  const path = `/api/v1/students/${student_id}`;
  await api.send('POST', `${path}/enrollments`, { body: { course_id: own } });
  const watch = async (course: string, lecture_id: string, minute: number) => {
    const progress = { course_id: course, lecture_id, position_seconds: 1, watched_at: at(minute) };
    expect((await api.send('POST', `${path}/progress`, { body: progress })).status).toBe(201);
  };
  const call = (name: string, args: object) => {
    const member = { member_id, roles: ['lecturer' as const] };
    return toolCaller(api).call<object>(name, args, { scopes: ['students:read', 'students:write'], member });
  };
  await watch(course_id, lectures[0], 5);
  expect(await call('get_student', { id: student_id })).toMatchObject({ last_seen_at: null });
  await watch(own, lecture, 3);
  expect(await call('get_student', { id: student_id })).toMatchObject({ last_seen_at: at(3) });
  expect(await call('update_student', { id: student_id, tags: ['met'] })).toMatchObject({
    student: { tags: ['met'], last_seen_at: at(3) },
  });
  expect((await api.send('GET', path)).body).toMatchObject({ last_seen_at: at(5) });
});
