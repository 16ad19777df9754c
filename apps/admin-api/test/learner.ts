import { randomUUID } from 'node:crypto';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { move, newLectures } from './new-lectures.js';

/** Minutes of one morning. */
export const at = (minute: number): string => new Date(Date.UTC(2026, 9, 2, 8, minute)).toISOString();

/** A student of the first site with an active enrollment in a course of their own. */
export interface Learner {
  readonly student_id: string;
  readonly course_id: string;
  readonly enrollment_id: string;
  /** Two published ones. */
  readonly lectures: readonly [string, string];
  readonly path: string;
}

export async function newLearner(api: TestApi): Promise<Learner> {
  const unique = randomUUID();
  const made = await api.send('POST', '/api/v1/students', {
    body: { email: `${unique}@example.com`, external_id: unique },
  });
  const student_id = String(made.body['id']);
  const { id: course_id } = await newCourse(api);
  const [one = '', two = ''] = await newLectures(api, course_id, 2);
  for (const lecture of [one, two]) await move(api, lecture, 'publish');
  const path = `/api/v1/students/${student_id}/enrollments`;
  const enrolled = await api.send('POST', path, { body: { course_id } });
  const enrollment_id = String(enrolled.body['id']);
  return { student_id, course_id, enrollment_id, lectures: [one, two], path: `${path}/${enrollment_id}` };
}
