import { beginningOf } from '@lyceum/platform';
import type { Course } from '#src/courses/course.entity.js';
import { COURSE_NAME_LENGTH } from '#src/courses/course.schema.js';
import type { CourseCreate } from '#src/courses/course.schema.js';

const COPY = ' (copy)';

/** Returns the default name of a copy. A name at the limit loses its end. */
export function copyName(name: string): string {
  return `${beginningOf(name, COURSE_NAME_LENGTH - COPY.length).trimEnd()}${COPY}`;
}

/** Returns the values of a copy. `external_id` is unique, so the copy has none. */
export function copyOf(course: Course, named: Pick<CourseCreate, 'name' | 'slug'>): CourseCreate {
  const { subtitle, description_html, image_url, image_file_id, course_type, featured, hidden, tags, seo, metadata } =
    course;
  const { lecturer_ids, category_ids } = course;
  return {
    ...named,
    subtitle,
    description_html,
    // The file gives the address: the stored one may have a former origin of the site.
    image_url: image_file_id === null ? image_url : null,
    image_file_id,
    course_type,
    featured,
    hidden,
    tags,
    lecturer_ids,
    category_ids,
    seo,
    metadata,
    external_id: null,
  };
}
