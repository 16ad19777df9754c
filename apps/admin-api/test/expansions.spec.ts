import { randomUUID } from 'node:crypto';
import { CourseService } from '#src/courses/course.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse, unique } from './new-course.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

type Body = Record<string, unknown>;

const made = async (path: string, body: object): Promise<Body & { readonly id: string }> => {
  const response = await api.send<Body & { readonly id: string }>('POST', `/api/v1/${path}`, { body });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
};
const lecturer = (more: object = {}) => made('lecturers', { slug: unique('lecturer'), name: 'Mei Lin', ...more });

describe('the student and the course of enrollments', () => {
  it('shows objects as lists show them, beside the members of fields', async () => {
    const course = await newCourse(api, { name: 'Watercolor', description_html: '<p>Long</p>' });
    const student = await made('students', { email: `${unique('student')}@example.com`, name: 'Mei' });
    const enrollment = await made('enrollments', { student_id: student.id, course_id: course.id });
    const expanded = { student: { ...student, enrollments_count: 1 }, course: { id: course.id, name: 'Watercolor' } };
    const one = await api.send<Body>('GET', `/api/v1/enrollments/${enrollment.id}?expand=student,course`);
    expect(one.body).toMatchObject({ id: enrollment.id, ...expanded });
    expect(Object.keys(one.body['course'] as object)).not.toContain('description_html');
    for (const path of [`courses/${course.id}/enrollments`, `students/${student.id}/enrollments`]) {
      const { body } = await api.send('GET', `/api/v1/${path}?fields=id&expand=course,student`);
      expect(body['data']).toEqual([{ id: enrollment.id, student: one.body['student'], course: one.body['course'] }]);
    }
  });

  it('gives an entity tag that a change of the enrollment matches', async () => {
    const { id: course_id } = await newCourse(api);
    const { id: student_id } = await made('students', { email: `${unique('student')}@example.com` });
    const { id } = await made('enrollments', { student_id, course_id });
    for (const path of [`/api/v1/enrollments/${id}`, `/api/v1/students/${student_id}/enrollments/${id}`]) {
      const get = (headers: Record<string, string>) => api.send('GET', `${path}?expand=student,course`, { headers });
      const etag = (await get({})).headers['etag'] ?? '';
      expect((await get({ 'if-none-match': etag })).status).toBe(304);
      const patch = (note: string) =>
        api.send('PATCH', path, { body: { metadata: { note } }, headers: { 'if-match': etag } });
      expect((await patch(path)).status).toBe(200);
      expect((await patch('another')).body['code']).toBe('precondition_failed');
      expect((await get({ 'if-none-match': etag })).status).toBe(200);
    }
  });

  it('shows none without expand, and none in the response to a write', async () => {
    const { id: course_id } = await newCourse(api);
    const { id: student_id } = await made('students', { email: `${unique('student')}@example.com` });
    const written = await api.send('POST', '/api/v1/enrollments?expand=course', { body: { student_id, course_id } });
    expect(written.status).toBe(400);
    const enrollment = await made('enrollments', { student_id, course_id });
    const { body } = await api.send<Body>('GET', `/api/v1/enrollments/${enrollment.id}`);
    for (const shown of [enrollment, body]) expect(Object.keys(shown)).not.toContain('student');
  });

  it('requires the read scope of what they show', async () => {
    const token = await api.token('students:read');
    const listed = await api.send('GET', '/api/v1/enrollments?expand=student', { token });
    expect(listed.status).toBe(200);
    const refused = await api.send('GET', '/api/v1/enrollments?expand=student,course', { token });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toContain('courses:read');
  });
});

describe('the lecturers and the categories of courses', () => {
  it('keeps the order of the course', async () => {
    const lecturers = [await lecturer({ title: 'Painter' }), await lecturer()];
    const categories = [
      await made('categories', { slug: unique('category'), name: 'Z' }),
      await made('categories', { slug: unique('category'), name: 'A' }),
    ];
    const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).toReversed();
    const course = await newCourse(api, { lecturer_ids: ids(lecturers), category_ids: ids(categories) });
    const { body } = await api.send<Body>('GET', `/api/v1/courses/${course.id}?expand=lecturers,categories`);
    expect(body['categories']).toEqual(categories.toReversed());
    expect(body['lecturers']).toEqual(
      lecturers.toReversed().map(({ id, slug, name, title, avatar_url, visible }) => ({
        id,
        slug,
        name,
        title,
        avatar_url,
        visible,
      })),
    );
    const other = await newCourse(api);
    const listed = await api.send('GET', `/api/v1/courses?slug=${other.slug}&expand=lecturers,categories`);
    expect(listed.body['data']).toMatchObject([{ lecturers: [], categories: [] }]);
  });

  it('shows a lecturer the own profile only', async () => {
    const member_id = randomUUID();
    const [own, other] = [await lecturer(), await lecturer()];
    await withDatabase(api.databaseUrl, (client) =>
      client.query('update lecturers set member_id = $1 where id = $2', [member_id, own.id]),
    );
    const { id } = await newCourse(api, { lecturer_ids: [other.id, own.id] });
    const courses = api.service.app.get(CourseService);
    const caller = { site_id: api.sites[0].site_id, member_id, roles: ['lecturer' as const] };
    const found = await courses.lecturersOf(caller, [await courses.get(caller, id)]);
    expect(found.get(id)).toMatchObject([{ id: own.id }]);
  });
});
