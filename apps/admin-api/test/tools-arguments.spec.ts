import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];
const ALL = { scopes: ['courses:read', 'courses:write', 'students:read', 'students:write'] };

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

describe('an optional argument that is null or empty', () => {
  it.each([
    ['browse_catalog', { q: null, first: null, after: null, type: null }],
    ['browse_catalog', { q: '', after: '', type: '' }],
    ['list_courses', { q: null, state: null, first: null, after: null }],
    ['list_students', { q: '', email: '', state: '', after: '' }],
    ['search_operations', { q: null, after: '' }],
    ['read_operation', { operation_id: 'listCourses', arguments_json: null }],
    ['read_operation', { operation_id: 'listCourses', arguments_json: '{"path":null,"query":null}' }],
  ])('ignores an empty optional argument in %s: %j', async (tool, args) => {
    expect(await call(tool, args, ALL)).not.toHaveProperty('code');
  });

  it('ignores an empty argument where one of two is required', async () => {
    const { slug } = await newCourse(api);
    const named = { student_id: null, course_id: null, name: null, idempotency_key: null, dry_run: null };
    const args = { email: `${randomUUID()}@example.com`, course_slug: slug, expires_at: null, ...named };
    expect(await call('enroll_student', args, ALL)).toMatchObject({ student_added: true, dry_run: false });
  });

  it('ignores null in the members of a list', async () => {
    const { slug } = await newCourse(api);
    const unset = { name: null, student_id: null, external_id: null, metadata: null };
    const students = [{ email: `${randomUUID()}@example.com`, ...unset }];
    expect(await call('enroll_students', { students, course_slug: slug }, ALL)).toMatchObject({
      results: [{ status: 201 }],
    });
  });

  it('keeps a value for an empty text and clears it for null', async () => {
    const { id } = await newCourse(api, { subtitle: 'That hold', image_url: 'https://cdn.example/a.png' });
    const unset = { name: null, slug: null, course_type: null, hidden: null, dry_run: null };
    const changed = await call('update_course', { id, subtitle: null, ...unset }, ALL);
    expect(changed).toMatchObject({
      course: { name: 'A course', subtitle: null, image_url: 'https://cdn.example/a.png', hidden: false },
    });
  });

  it('refuses an empty argument where it is required or could be meant', async () => {
    const { id } = await newCourse(api, { subtitle: 'That hold' });
    expect(await call('browse_course', { slug: null })).toMatchObject({ code: 'validation_failed' });
    expect(await call('browse_course', { slug: '' })).toMatchObject({ code: 'validation_failed' });
    for (const member of ['name', 'subtitle', 'slug']) {
      expect(await call('update_course', { id, [member]: '' }, ALL)).toMatchObject({ code: 'validation_failed' });
    }
    expect(await call('browse_catalog', { unknown: null })).toMatchObject({ code: 'validation_failed' });
  });
});

it.each([
  ['read_operation', 'createCourse', 'createCourse changes something: use change_operation'],
  ['change_operation', 'listCourses', 'listCourses only reads: use read_operation'],
  ['read_operation', 'constructor', 'Find one that does it with search_operations'],
])('names the next step when %s is called for %s', async (tool, operation_id, hint) => {
  expect(await call(tool, { operation_id }, ALL)).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '/operation_id' }],
    hint,
  });
});

it('takes the key and the values of an enrollment from enroll_student and enroll_students', async () => {
  interface Enrolled {
    readonly enrollment: object;
    readonly results: readonly { readonly id: string }[];
  }
  const { slug, id: course_id } = await newCourse(api);
  const person = (key: string) => ({
    email: `${randomUUID()}@example.com`,
    external_id: key,
    metadata: [{ key: 'cohort', value: 'evening' }],
  });
  const [one, two] = [randomUUID(), randomUUID()];
  const own = { course_id, metadata: { cohort: 'evening' } };
  const enrolled = await call<Enrolled>('enroll_student', { ...person(one), course_slug: slug }, ALL);
  expect(enrolled.enrollment).toMatchObject({ ...own, external_id: one });
  const students = [person(two), person(one)];
  const { results } = await call<Enrolled>('enroll_students', { students, course_slug: slug }, ALL);
  expect(results).toMatchObject([{ status: 201 }, { status: 409, errors: [{ pointer: '/students/1/external_id' }] }]);
  const read = await api.send('GET', `/api/v1/enrollments/${results[0]?.id ?? ''}`);
  expect(read.body).toMatchObject({ ...own, external_id: two });
});

it('changes the values of an enrollment and keeps its end', async () => {
  const { slug } = await newCourse(api);
  const args = { email: `${randomUUID()}@example.com`, course_slug: slug, metadata: [{ key: 'room', value: '1' }] };
  interface Enrolled {
    readonly enrollment: { readonly id: string };
    readonly student: { readonly id: string };
  }
  const { enrollment, student } = await call<Enrolled>('enroll_student', args, ALL);
  const changed = {
    student_id: student.id,
    enrollment_id: enrollment.id,
    metadata: [
      { key: 'room', value: null },
      { key: 'desk', value: '2' },
    ],
  };
  expect(await call('update_enrollment', changed, ALL)).toMatchObject({
    enrollment: { id: enrollment.id, expires_at: null, metadata: { desk: '2' } },
  });
});
