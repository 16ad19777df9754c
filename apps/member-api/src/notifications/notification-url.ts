import { coursePage } from '#src/schools/course-page.js';
import type { Kind } from './kinds.policy.js';

const COURSES = '/courses/';
/** The operator writes the path of these kinds. */
const ANNOUNCEMENTS: readonly Kind[] = ['announcement_sent', 'offer_sent'];

/**
 * SQL of the address to which the row `alias` of a notification or a mail leads. The site itself has no pages of
 * courses, posts and events: the path of a course stands for its page at the web site of the school. Null without a
 * page.
 */
export function notificationUrl(alias: string, baseUrl: string): string {
  const course = `courses c where c.site_id = ${alias}.site_id and ${alias}.path like '${COURSES}%'
                     and c.slug = substr(${alias}.path, ${COURSES.length + 1})`;
  const kinds = ANNOUNCEMENTS.map((kind) => `'${kind}'`).join(', ');
  return `case when ${alias}.kind in (${kinds}) and not exists (select from ${course}) then ${baseUrl} || ${alias}.path
    else (select ${coursePage('w', 'c')} from sites w, ${course} and w.site_id = c.site_id and c.state not in ('draft', 'deleted')
          limit 1) end`;
}
