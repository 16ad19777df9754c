import { instantOut, shownDescription, slug, truncated } from '@lyceum/rest';
import { z } from 'zod';
import { publicCoursePlans, viewPublicCoursePlans } from '#src/course-plans/course-plan.view.js';
import { COURSE_TYPES } from '#src/courses/course.policy.js';
import type { CourseService } from '#src/courses/course.service.js';

export const publicCourseInput = z.object({ slug: slug.describe('Slug of the course; browse_catalog has it') });

/** A public course. */
export const publicCourse = z.object({
  slug: z.string(),
  name: z.string(),
  subtitle: z.string().nullable(),
  description_html: z.string().nullable(),
  description_truncated: truncated,
  image_url: z.string().nullable(),
  course_type: z.enum(COURSE_TYPES),
  tags: z.array(z.string()),
  published_at: instantOut.nullable(),
  plans: publicCoursePlans,
});

export type PublicCourse = z.infer<typeof publicCourse>;
export type PublicCourseRow = Awaited<ReturnType<CourseService['getPublished']>>;
type Plans = Parameters<typeof viewPublicCoursePlans>[0];

export function viewPublicCourse(row: PublicCourseRow, plans: Plans): PublicCourse {
  const { slug: name_in_url, name, subtitle, image_url, course_type, tags, published_at } = row;
  return {
    slug: name_in_url,
    name,
    subtitle,
    ...shownDescription(row.description_html),
    image_url,
    course_type,
    tags,
    published_at: published_at?.toISOString() ?? null,
    plans: viewPublicCoursePlans(plans),
  };
}
