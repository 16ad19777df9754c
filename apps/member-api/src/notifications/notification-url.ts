import { coursePage } from '#src/schools/course-page.js';
import type { Kind } from './kinds.policy.js';

const COURSES = '/courses/';

/** The path of a course below the base URL of the site. */
export const coursePath = (slug: string): string => `${COURSES}${slug}`;
/** The same in SQL, over an expression of the slug. */
export const coursePathSql = (slug: string): string => `'${COURSES}' || ${slug}`;

/** SQL condition: a path is that of a course. */
export const isCoursePath = (path: string): string => `${path} like '${COURSES}%'`;

/** The operator writes the path of these kinds. */
const ANNOUNCEMENTS: readonly Kind[] = ['announcement_sent', 'offer_sent'];

/**
 * SQL of the address to which the row `alias` of a notification or a mail leads. The site itself has no pages of
 * courses, posts and events: the path of a course stands for its page at the web site of the school. Null without a
 * page. `enrolled` selects the course of the row, whose slug may have changed since the path was written.
 */
export function notificationUrl(alias: string, baseUrl: string, enrolled?: string): string {
  const ofPath = `select named.course_id from courses named where named.site_id = ${alias}.site_id
    and ${isCoursePath(`${alias}.path`)} and named.slug = substr(${alias}.path, ${COURSES.length + 1})`;
  const visible = `(${ofPath} and named.state not in ('draft', 'deleted') limit 1)`;
  const kinds = ANNOUNCEMENTS.map((kind) => `'${kind}'`).join(', ');
  const course =
    enrolled === undefined ? visible : `coalesce((${enrolled} and ${alias}.kind not in (${kinds})), ${visible})`;
  return `case when ${alias}.kind in (${kinds}) and not exists (${ofPath}) then ${baseUrl} || ${alias}.path
    else (select ${coursePage('w', 'c')} from sites w, courses c where c.course_id = ${course}
          and c.site_id = ${alias}.site_id and w.site_id = c.site_id and c.state not in ('draft', 'deleted')) end`;
}
