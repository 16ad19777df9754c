import { pendingLines } from '#src/pending-orders/pending-lines.js';
import { pictureFile } from '#src/pictures/picture.service.js';
import { urlPart } from '#src/urls/object-url.js';

/** Condition on `courses`: public courses that lists show. */
export const LISTED_COURSES = `state = 'published' and not hidden`;

/** The searched text, exactly as the index has it. */
export const COURSE_TEXT = `(name || ' ' || coalesce(subtitle, '') || ' ' || slug)`;

/** Condition on the course `$2` of the site `$1`: enrollments, plans or pending orders depend on it. */
export const COURSE_IN_USE = `
  exists (select 1 from enrollments where site_id = $1 and course_id = $2)
  or exists (select 1 from membership_plan_courses where site_id = $1 and course_id = $2)
  or exists (select 1 from comments where site_id = $1 and course_id = $2)
  or ${pendingLines('in (select id from course_plans where site_id = $1 and course_id = $2)')}`;

/** SQL of the computed properties of a course. */
export const COURSE_PARTS = {
  image_file_id: pictureFile('course_id', 'courses'),
  lecturer_ids: `
    array(select lecturer_id from course_lecturers cl
      where cl.site_id = courses.site_id and cl.course_id = courses.id order by cl.position)`,
  category_ids: `
    array(select category_id from course_categories cc
      where cc.site_id = courses.site_id and cc.course_id = courses.id order by cc.position)`,
  url_part: urlPart('course', 'courses'),
} as const;

/**
 * SQL of filters that are no column. `$1` is the site. Ids as an array: PostgreSQL computes it once and starts from it,
 * so the cost does not grow with the courses of the site.
 */
export const COURSE_CONDITIONS = {
  category_id: 'id = any(array(select course_id from course_categories where site_id = $1 and category_id = ?))',
  lecturer_id: 'id = any(array(select course_id from course_lecturers where site_id = $1 and lecturer_id = ?))',
} as const;
