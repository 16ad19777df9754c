import { z } from 'zod';
import { fill } from './url-template.policy.js';
import type { Linked } from './url-template.policy.js';

/** Computed: the URL template of the site. Null: the site has none for objects of this type. */
export interface UrlPart {
  readonly template: string;
  /** Incremented by each change of the school and of the parent in the URL. */
  readonly version: number;
  readonly course_slug?: string;
}

interface LinkedRow {
  readonly id: string;
  readonly slug: string;
  readonly course_id?: string;
  readonly url_part?: UrlPart | null;
}

/** The member `url` of a resource. */
export const objectUrl = z.string().optional().meta({
  description: 'URL of its page on the web site of the school; absent without a template in the settings of the school',
});

/** SQL of the property `url_part` of a row of the table. */
export function urlPart(of: Exclude<Linked, 'lecture'>, table: string): string {
  return `(select jsonb_build_object('template', s.url_templates->>'${of}', 'version', s.version)
    from schools s where s.site_id = ${table}.site_id and s.url_templates->>'${of}' is not null)`;
}

const OF_COURSE = `jsonb_build_object(
    'template', s.url_templates->>'lecture', 'version', s.version + c.version, 'course_slug', c.slug)`;
const COURSES = `schools s join courses c on c.site_id = s.site_id and s.url_templates->>'lecture' is not null`;

/** The same of lectures, whose URLs name the course. */
export const LECTURE_URL_PART = `(select ${OF_COURSE} from ${COURSES}
  where s.site_id = lectures.site_id and c.id = lectures.course_id)`;

/** Statement of the property of all lectures of the courses `$2` of the site `$1`, by course. */
export const LECTURE_URL_PARTS = `select c.id as course_id, ${OF_COURSE} as url_part from ${COURSES}
  where s.site_id = $1 and c.id = any($2::uuid[])`;

export function urlOf({ id, slug, course_id, url_part }: LinkedRow): string | undefined {
  if (url_part === undefined || url_part === null) return undefined;
  return fill(url_part.template, {
    id,
    slug,
    ...(course_id !== undefined && { course_id }),
    ...(url_part.course_slug !== undefined && { course_slug: url_part.course_slug }),
  });
}

/** Returns counters for the entity tag, because a change of the template changes the response. */
export function urlVersions({ url_part }: Pick<LinkedRow, 'url_part'>): number[] {
  return url_part === undefined || url_part === null ? [] : [url_part.version];
}
