import { cleanDescription } from '@lyceum/rest';
import type { CourseCreate, CoursePatch } from './course.schema.js';
import type { Course } from './course.entity.js';

/** What a caller may set, as the columns that hold it. */
export type EditableColumns = Pick<
  Course,
  | 'slug'
  | 'name'
  | 'subtitle'
  | 'description_html'
  | 'image_url'
  | 'course_type'
  | 'featured'
  | 'hidden'
  | 'tags'
  | 'seo_title'
  | 'seo_description'
>;

export function newCourse({ seo, description_html, ...rest }: CourseCreate): EditableColumns {
  return {
    ...rest,
    description_html: description_html === null ? null : cleanDescription(description_html),
    seo_title: seo?.title ?? null,
    seo_description: seo?.description ?? null,
  };
}

/** JSON Merge Patch (RFC 7396): the columns that get another value. Nothing when the patch says what is so already. */
export function changedColumns(course: Course, patch: CoursePatch): Partial<EditableColumns> {
  const { seo, tags, description_html: html, ...rest } = patch;
  const wanted: Partial<EditableColumns> = { ...rest };
  if (tags !== undefined) wanted.tags = tags ?? [];
  if (html !== undefined) wanted.description_html = html === null ? null : cleanDescription(html);
  if (seo === null) Object.assign(wanted, { seo_title: null, seo_description: null });
  if (seo?.title !== undefined) wanted.seo_title = seo.title;
  if (seo?.description !== undefined) wanted.seo_description = seo.description;
  const entries = Object.entries(wanted) as [keyof EditableColumns, unknown][];
  return Object.fromEntries(
    entries.filter(
      ([column, value]) => value !== undefined && JSON.stringify(course[column]) !== JSON.stringify(value),
    ),
  );
}
