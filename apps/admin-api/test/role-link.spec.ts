import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi({ withAuthsNats: true });
});
afterAll(() => api.stop());

it('a student who is added here becomes a person in auth and is linked to it, once', async () => {
  const email = `${randomUUID()}@example.com`;
  const course = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  const student = await api.send('POST', '/api/v1/students', { body: { email, name: 'Mei' } });
  const path = `/api/v1/students/${String(student.body['id'])}`;
  const enrollment = await api.send('POST', `${path}/enrollments`, { body: { course_id: course.body['id'] } });
  const ids = [String(student.body['id']), String(enrollment.body['id'])];
  const events = await api.events.of(ids, 4);
  const person_id = events.at(-1)?.data['person_id'];
  expect(person_id).toEqual(expect.any(String));
  expect((await api.send('GET', path)).body).toMatchObject({ person_id });
  // Neither side answers the other for ever: a second of silence after the last word.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const all = await api.events.of(ids, 4);
  expect(all.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
    ['school.student.created.v1', 1],
    ['school.enrollment.activated.v1', 1],
    ['school.student.linked.v1', 2],
    ['school.enrollment.linked.v1', 2],
  ]);
});
