import type { Caller, Fence } from '@lyceum/collections';
import { isTeacher } from '@lyceum/contracts';
import { actsForSite } from './administrator.policy.js';

/** Courses that the member `?` teaches. A membership belongs to one site, and so does its lecturer. */
const TAUGHT = `lecturers l join course_lecturers taught on taught.site_id = l.site_id and taught.lecturer_id = l.id`;

/** Ids as an array: PostgreSQL computes it once and starts from it, so the cost does not grow with the rows of the site. */
const OWN_COURSES = `array(select taught.course_id from ${TAUGHT} where l.member_id = ?)`;
const OWN_STUDENTS = `array(
  select e.student_id from ${TAUGHT}
  join enrollments e on e.site_id = taught.site_id and e.course_id = taught.course_id where l.member_id = ?)`;

type FenceOf = (caller: Caller) => Fence | undefined;

function forTeachers(condition: string): FenceOf {
  return (caller) => {
    if (actsForSite(caller)) return undefined;
    const { roles = [], member_id } = caller;
    return isTeacher({ roles }) ? { condition, value: member_id } : { condition: 'false' };
  };
}

/** Fences rows by a column with the id of a course: a teacher sees the rows of own courses. */
export function ofOwnCourses(column: string): FenceOf {
  return forTeachers(`${column} = any(${OWN_COURSES})`);
}

/** Fences rows by a column with the id of a student: a teacher sees students who are or were enrolled in own courses. */
export function ofOwnStudents(column: string): FenceOf {
  return forTeachers(`${column} in (select unnest(${OWN_STUDENTS}))`);
}
