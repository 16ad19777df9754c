import type { ValidationProxy } from './validation-proxy.js';

/** Creates students, categories, and the parts of a course in bulk. */
export async function useBulk(proxy: ValidationProxy, unique: string): Promise<void> {
  const create = async (id: string, items: readonly object[]): Promise<void> => {
    await proxy.write(id, 200, { body: { atomic: true, items } });
  };
  const course = await proxy.send('createCourse', 201, { body: { name: 'Bulk parts', slug: `bulk-parts-${unique}` } });
  const { id: section_id } = await proxy.send('createSection', 201, { body: { course_id: course.id, title: 'One' } });
  await create('createStudents', [{ email: `bulk-${unique}@example.com` }]);
  await create('createCategories', [{ name: 'By Prism', slug: `bulk-category-${unique}` }]);
  await create('createSections', [{ course_id: course.id, title: 'Two' }]);
  await create('createLectures', [{ section_id, slug: `bulk-${unique}`, title: 'One' }]);
}

/** Uses each operation of plans and enrollments at a path without a course or a student. */
export async function useFlatPaths(proxy: ValidationProxy, unique: string): Promise<void> {
  const course = await proxy.send('createCourse', 201, { body: { name: 'Flat', slug: `flat-${unique}` } });
  const { id } = await proxy.write('createPlanOfCourse', 201, {
    body: { course_id: course.id, name: 'Free', plan_type: 'free' },
  });
  await proxy.list('listPlansOfCourses');
  await proxy.get('getPlanOfCourse', { path: { id } });
  await proxy.write('updatePlanOfCourse', 200, { path: { id }, body: { active: false } });
  await proxy.write('deletePlanOfCourse', 204, { path: { id } });

  const student = await proxy.send('createStudent', 201, { body: { email: `flat-${unique}@example.com` } });
  await proxy.send('publishCourse', 200, { path: { id: course.id } });
  const body = { student_id: student.id, course_id: course.id };
  const path = { id: (await proxy.write('enrollStudent', 201, { body })).id };
  await proxy.write('updateEnrollmentById', 200, { path, body: { expires_at: '2040-01-01' } });
  await proxy.send('listEnrollments', 200, {
    query: { 'created_at[gte]': '2020-01-01', 'expires_at[lt]': '2040-01-02' },
  });
  await proxy.write('extendEnrollmentById', 200, { path, body: { days: 30 } });
  await proxy.write('expireEnrollmentById', 200, { path });
  await proxy.send('extendEnrollmentById', 200, { path, body: { days: 30 } });
  await proxy.write('revokeEnrollmentById', 200, { path });
}
