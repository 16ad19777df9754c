import type { z } from 'zod';
import { REVALIDATED, iso, rowTag, shownDescription } from '@lyceum/rest';
import type { Course } from './course.entity.js';
import type { CourseSummary } from './course.repository.js';
import type { courseSummary, courseView } from './course.schema.js';
import type { courseDetails, publicCourse } from './course.tools.schema.js';

export function viewCourseSummary(row: CourseSummary): z.infer<typeof courseSummary> {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    subtitle: row.subtitle,
    image_url: row.image_url,
    course_type: row.course_type,
    state: row.state,
    featured: row.featured,
    hidden: row.hidden,
    tags: row.tags,
    seo: { title: row.seo_title, description: row.seo_description },
    enrollments_count: row.enrollments_count,
    published_at: iso(row.published_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function viewCourse(row: Course): z.infer<typeof courseView> {
  return { ...viewCourseSummary(row), description_html: row.description_html };
}

export function viewCourseDetails(row: Course): z.infer<typeof courseDetails> {
  return { ...viewCourseSummary(row), ...shownDescription(row.description_html) };
}

export function viewPublicCourse(row: Course): z.infer<typeof publicCourse> {
  const { slug, name, subtitle, image_url, course_type, tags, published_at } = viewCourseSummary(row);
  return {
    slug,
    name,
    subtitle,
    ...shownDescription(row.description_html),
    image_url,
    course_type,
    tags,
    published_at,
  };
}

export function courseHeaders(row: Course): Record<string, string> {
  return { ...REVALIDATED, etag: rowTag(row.version, row.enrollments_count) };
}
