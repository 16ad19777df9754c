import type { Caller, Fence } from '@lyceum/collections';
import { isTeacher } from '@lyceum/contracts';
import { actsForSite } from './administrator.policy.js';

/** Courses that the member `?` teaches. A membership belongs to one site, and so does its lecturer. */
const TAUGHT = `lecturers l join course_lecturers taught on taught.site_id = l.site_id and taught.lecturer_id = l.id`;

/**
 * Ids as an array, which PostgreSQL computes first. So the cost does not grow with the rows of the site. A course is in
 * it once, also if the member has two lecturers there.
 */
const OWN_COURSES = `array(select distinct taught.course_id from ${TAUGHT} where l.member_id = ?)`;
const OWN_STUDENTS = `array(
  select e.student_id from ${TAUGHT}
  join enrollments e on e.site_id = taught.site_id and e.course_id = taught.course_id where l.member_id = ?)`;

/** SQL of the ids of the courses that a member teaches, as an array. @param member the place of the member's id */
export function coursesTaughtBy(member: string): string {
  return OWN_COURSES.replace('?', member);
}

type FenceOf = (caller: Caller) => Fence | undefined;

function forTeachers(condition: string, narrowed?: Fence['narrowed']): FenceOf {
  return (caller) => {
    if (actsForSite(caller)) return undefined;
    const { roles = [], member_id } = caller;
    return isTeacher({ roles })
      ? { condition, value: member_id, ...(narrowed && { narrowed }) }
      : { condition: 'false' };
  };
}

/** Fences rows by a column with the id of a course: a teacher sees the rows of own courses. */
export function ofOwnCourses(column: string): FenceOf {
  return forTeachers(`${column} = any(${OWN_COURSES})`);
}

/** Fences rows by a column with the id of a consulting service. A teacher sees the rows of own services. */
export function ofOwnConsultingServices(column: string): FenceOf {
  return forTeachers(`${column} = any(array(
    select held.consulting_service_id from lecturers l
    join consulting_service_lecturers held on held.site_id = l.site_id and held.lecturer_id = l.id where l.member_id = ?))`);
}

/** Fences slots: a teacher sees the slots in which they are the lecturer. */
export const ofOwnSlots: FenceOf = forTeachers(
  'lecturer_id = any(array(select id from lecturers where member_id = ?))',
);

/** Fences bookings: a teacher sees the bookings of own slots. Each list of bookings belongs to one slot. */
export const ofOwnBookings: FenceOf = forTeachers(`exists (
  select 1 from consulting_slots held join lecturers l on l.site_id = held.site_id and l.id = held.lecturer_id
  where held.site_id = consulting_bookings.site_id and held.id = consulting_bookings.slot_id and l.member_id = ?)`);

/** The fence of lecturers: a teacher sees the own profile. */
export const ofOwnProfile: FenceOf = forTeachers('member_id = ?');

/**
 * Fences students: a teacher sees those who are or were enrolled in own courses, counts only these enrollments, and
 * sees when the student last watched a lecture of these courses.
 */
export const ofOwnStudents: FenceOf = forTeachers(`id in (select unnest(${OWN_STUDENTS}))`, {
  enrollments_count: `(select count(*)::int from enrollments e where e.site_id = students.site_id
    and e.student_id = students.id and e.state in ('pending', 'active') and e.course_id = any(${OWN_COURSES}))`,
  last_seen_at: `(select max(p.watched_at) from progress p
    where p.site_id = students.site_id and p.student_id = students.id and p.course_id = any(${OWN_COURSES}))`,
});
