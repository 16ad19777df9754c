/** Condition on `courses`: public courses that lists show. */
export const LISTED_COURSES = `state = 'published' and not hidden`;

/** The searched text, exactly as the index has it. */
export const COURSE_TEXT = `(name || ' ' || coalesce(subtitle, '') || ' ' || slug)`;

/** Condition on the course `$2` of the site `$1`: enrollments or plans depend on it. */
export const COURSE_IN_USE = `
  exists (select 1 from enrollments where site_id = $1 and course_id = $2)
  or exists (select 1 from membership_plan_courses where site_id = $1 and course_id = $2)`;

/** Members of a course from other tables. */
export const COURSE_PARTS = {
  lecturer_ids: `
    array(select lecturer_id from course_lecturers cl
      where cl.site_id = courses.site_id and cl.course_id = courses.id order by cl.position)`,
} as const;
