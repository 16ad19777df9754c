import { z } from 'zod';
import { dryRun, instantOut, itemsOf, searchText, slug, toolPage, toolWrite, truncated, writtenOf } from '@lyceum/rest';
import { COURSE_STATES, COURSE_TYPES } from './course.policy.js';
import { courseCreate, coursePatch, courseSummary, courseView } from './course.schema.js';

const courseId = z.uuid().toLowerCase().describe('Id of the course; list_courses has it');

export const publicCourseInput = z.object({ slug: slug.describe('Slug of the course; search_catalog has it') });

/** What everybody may read of a course. */
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
});

export const coursesInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name, subtitle or slug'),
  state: z.enum(COURSE_STATES).optional().describe('Only those in this state'),
  ...toolPage,
});

export const coursesOutput = itemsOf(
  courseSummary.pick({
    id: true,
    slug: true,
    name: true,
    state: true,
    course_type: true,
    hidden: true,
    enrollments_count: true,
    published_at: true,
    updated_at: true,
  }),
);

export const courseInput = z.object({ id: courseId });

/** A course for its operators. The description is cut so that a result is never too long for a model. */
export const courseDetails = z.object({ ...courseView.shape, description_truncated: truncated });

export const createCourseInput = z.object({ ...courseCreate.shape, ...toolWrite });
export const updateCourseInput = z.object({ id: courseId, ...coursePatch.shape, ...toolWrite });
export const moveCourseInput = z.object({ id: courseId, ...toolWrite });

const written = writtenOf(courseDetails);
export const changedCourse = z.object({ dry_run: dryRun, course: written });
export const deletedCourse = z.object({ dry_run: dryRun, course: written.describe('As it was') });
