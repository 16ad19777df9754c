import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of students, and those of enrollments at the paths of a student. */
export async function useStudents(proxy: ValidationProxy, unique: string): Promise<void> {
  const body = { email: `proxied-${unique}@example.com`, name: 'Proxied' };
  const { id: student_id } = await proxy.write('createStudent', 201, { body });
  const unused = await proxy.write('putStudent', 201, {
    path: { external_id: unique },
    body: { email: `put-${unique}@example.com` },
  });
  await proxy.write('deleteStudent', 204, { path: { id: unused.id } });
  await proxy.write('resendStudentInvitation', 200, { path: { id: student_id } });
  await proxy.write('restoreStudent', 200, { path: { id: student_id }, body: {} });
  await proxy.write('updateStudent', 200, { path: { id: student_id }, body: { tags: ['prism'] } });
  // A course of the demo, which has lectures.
  const taught = { query: { external_id: 'celestial-navigation' } };
  const { data } = await proxy.send<{ data: { id: string }[] }>('listCourses', 200, taught);
  const path = { student_id };
  const course_id = data[0]?.id;
  const enrollment = await proxy.write('createEnrollment', 201, { path, body: { course_id } });
  await proxy.write('createEnrollment', 200, { path, body: { course_id } });
  const one = { ...path, enrollment_id: enrollment.id };
  await proxy.list('listStudentEnrollments', { path });
  await proxy.get('getStudentEnrollment', { path: one });
  await proxy.list('listEnrollments');
  await proxy.get('getEnrollment', { path: { id: enrollment.id } });
  const lectures = { query: { course_id: course_id ?? '' } };
  const [lecture] = (await proxy.send<{ data: { id: string }[] }>('listLectures', 200, lectures)).data;
  const watched = { course_id, lecture_id: lecture?.id, position_seconds: 60, watched_at: new Date().toISOString() };
  const progress = await proxy.write('recordProgress', 201, { path, body: watched });
  await proxy.list('listStudentProgress', { path });
  await proxy.get('getStudentProgress', { path: { ...path, progress_id: progress.id } });
  await proxy.list('listActivity');
  await proxy.write('updateEnrollment', 200, {
    path: one,
    body: { expires_at: '2040-01-01T00:00:00Z', metadata: { cohort: 'evening' } },
  });
  await proxy.write('extendEnrollment', 200, { path: one, body: { days: 30 } });
  await proxy.write('expireEnrollment', 200, { path: one });
  await proxy.send('extendEnrollment', 200, { path: one, body: { days: 30 } });
  await proxy.write('revokeEnrollment', 200, { path: one });
  await proxy.write('enrollStudents', 200, { body: { items: [{ student_id, course_id }] } });
}
