import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Tool, itemsOf, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { MemberQueries } from '#src/reading/member-queries.service.js';
import { CURRICULUM_FIELDS, courseCurriculum, curriculumFields, curriculumOf } from './course-curriculum.js';

const node = z.object({
  id: z.string(),
  courseId: z.string(),
  slug: z.string(),
  name: z.string(),
  pageUrl: z.string().nullable(),
  state: z.enum(['ACTIVE', 'EXPIRED']),
  enrolledAt: z.string(),
  expireDate: z.string().nullable(),
  completionRate: z.number(),
  lastWatchedLecture: z.object({ lectureId: z.string(), positionSeconds: z.int() }).nullable(),
});

const COURSES = {
  document: parse(`query ($first: Int, $after: String) { viewer { enrolledCourses(first: $first, after: $after) {
    nodes {
      id courseId slug name pageUrl state enrolledAt expireDate completionRate
      lastWatchedLecture { lectureId positionSeconds }
    }
    pageInfo { hasNextPage endCursor }
  } } }`),
  output: z.object({ enrolledCourses: connectionOf(node) }),
};

const COURSE = {
  document: parse(`{ EnrolledCourse {
    id courseId slug name imageUrl pageUrl state enrolledAt expireDate completionRate completedAt
    lastWatchedLecture { lectureId title positionSeconds watchedAt } ${CURRICULUM_FIELDS}
  } }`),
  output: node.extend({
    ...curriculumFields.shape,
    imageUrl: z.string().nullable(),
    completedAt: z.string().nullable(),
    lastWatchedLecture: z
      .object({ lectureId: z.string(), title: z.string().nullable(), positionSeconds: z.int(), watchedAt: z.string() })
      .nullable(),
  }),
};

const item = z.object({
  enrollment_id: z.string(),
  course_id: z.string(),
  slug: z.string(),
  name: z.string(),
  url: z.string().nullable().describe('Page of the course; null while the school has not set its URL template.'),
  state: z.enum(['active', 'expired']),
  enrolled_at: z.string(),
  expires_at: z.string().nullable(),
  completion_rate: z
    .number()
    .describe('0 to 1, as of the last record of progress. Lectures that the school published since do not count.'),
  last_watched_lecture: z.object({ lecture_id: z.string(), position_seconds: z.int() }).nullable(),
});
const output = itemsOf(item);

const one = z.object({ course_id: z.uuid().describe('Identifier of the course; my_courses has it.') });
const whole = item.extend({
  ...courseCurriculum.shape,
  image_url: z.string().nullable(),
  completed_at: z.string().nullable(),
  last_watched_lecture: z
    .object({
      lecture_id: z.string(),
      title: z.string().nullable(),
      position_seconds: z.int(),
      watched_at: z.string(),
    })
    .nullable(),
});

@Injectable()
export class EnrolledCoursesTools {
  constructor(private readonly queries: MemberQueries) {}

  @Tool({
    name: 'my_courses',
    title: 'My courses',
    description:
      'Lists the courses that the signed-in member is enrolled in, newest first, with progress and where they stopped watching. Use it to answer what the member can learn, or what to go on with.',
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output,
    annotations: { readOnlyHint: true },
  })
  async myCourses(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof output>> {
    const { enrolledCourses } = await this.queries.run(COURSES, call.input, principalOf(call));
    return { items: enrolledCourses.nodes.map(summary), next_cursor: nextCursor(enrolledCourses.pageInfo) };
  }

  @Tool({
    name: 'my_course',
    title: 'One of my courses',
    description:
      'Returns one course that the signed-in member is enrolled in, with its sections and lectures, their attachments, the progress in each lecture, the next lecture, and the lecture where they stopped. Use it to continue a course that my_courses has shown.',
    audience: 'member',
    scopes: ['account:read'],
    input: one,
    output: whole,
    annotations: { readOnlyHint: true },
  })
  async myCourse(call: ToolCall<z.output<typeof one>>): Promise<z.input<typeof whole>> {
    const course = await this.queries.find(COURSE, call.input.course_id, principalOf(call));
    if (course === undefined) {
      throw new ApiError('not_found', 'The member is not enrolled in this course', {
        hint: 'Take course_id from my_courses.',
      });
    }
    const { lastWatchedLecture: last } = course;
    return {
      ...summary(course),
      image_url: course.imageUrl,
      completed_at: course.completedAt,
      last_watched_lecture:
        last === null
          ? null
          : {
              lecture_id: last.lectureId,
              title: last.title,
              position_seconds: last.positionSeconds,
              watched_at: last.watchedAt,
            },
      ...curriculumOf(course),
    };
  }
}

function summary(course: z.output<typeof node>): z.input<typeof item> {
  const { lastWatchedLecture: last } = course;
  return {
    enrollment_id: course.id,
    course_id: course.courseId,
    slug: course.slug,
    name: course.name,
    url: course.pageUrl,
    state: course.state === 'ACTIVE' ? 'active' : 'expired',
    enrolled_at: course.enrolledAt,
    expires_at: course.expireDate,
    completion_rate: course.completionRate,
    last_watched_lecture: last === null ? null : { lecture_id: last.lectureId, position_seconds: last.positionSeconds },
  };
}
