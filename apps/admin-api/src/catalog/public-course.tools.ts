import { READS, instantOut, shownDescription, slug, truncated } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import { publicCoursePlans, viewPublicCoursePlans } from '#src/course-plans/course-plan.view.js';
import { COURSE_TYPES } from '#src/courses/course.policy.js';
import { CourseService } from '#src/courses/course.service.js';

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

type Row = Awaited<ReturnType<CourseService['getPublished']>>;
type Plans = Parameters<typeof viewPublicCoursePlans>[0];

export function viewPublicCourse(row: Row, plans: Plans): z.infer<typeof publicCourse> {
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

@Injectable()
export class PublicCourseTools {
  constructor(
    private readonly courses: CourseService,
    private readonly plans: CoursePlanService,
  ) {}

  @Tool({
    name: 'browse_course',
    title: 'Browse a course',
    description:
      'Describes one published course of this site, with its prices. Use it with a known slug, for instance from ' +
      'browse_catalog.',
    audience: 'public',
    scopes: [],
    toolset: 'courses',
    input: publicCourseInput,
    output: publicCourse,
    annotations: READS,
  })
  async browseCourse({ input, site_id }: ToolCall<z.infer<typeof publicCourseInput>>): Promise<object> {
    const course = await this.courses.getPublished({ site_id }, input.slug);
    return viewPublicCourse(course, await this.plans.forSale({ site_id }, course.id));
  }
}
