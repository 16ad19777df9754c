import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { READS, newestFirst, operatorOf, toolItems } from '@lyceum/rest';
import { CourseService } from './course.service.js';
import {
  courseDetails,
  courseInput,
  coursesInput,
  coursesOutput,
  publicCourse,
  publicCourseInput,
} from './course.tools.schema.js';
import { viewCourseDetails, viewCourseSummary, viewPublicCourse } from './course.view.js';

@Injectable()
export class CourseTools {
  constructor(private readonly courses: CourseService) {}

  @Tool({
    name: 'get_course',
    title: 'Get a course',
    description:
      'Describes one published course of this site. Use it when you know the slug, for instance from search_catalog.',
    audience: 'public',
    scopes: [],
    toolset: 'courses',
    input: publicCourseInput,
    output: publicCourse,
    annotations: READS,
  })
  async getCourse({ input, site_id }: ToolCall<z.infer<typeof publicCourseInput>>): Promise<object> {
    return viewPublicCourse(await this.courses.getPublished({ site_id }, input.slug));
  }

  @Tool({
    core: true,
    name: 'list_courses',
    title: 'List all courses',
    description:
      'Lists the courses of this site for its operators, drafts and archived ones included, newest first. Use it to ' +
      'manage courses; use search_catalog for what visitors see.',
    audience: 'operator',
    scopes: ['courses:read'],
    input: coursesInput,
    output: coursesOutput,
    annotations: READS,
  })
  listCourses(call: ToolCall<z.infer<typeof coursesInput>>): Promise<object> {
    return toolItems(this.courses.list(operatorOf(call), newestFirst(call.input)), viewCourseSummary);
  }

  @Tool({
    core: true,
    name: 'get_course_details',
    title: 'Get a course as its operators see it',
    description:
      'Reads one course in any state, with everything that operators can set and how many are enrolled. Use it before ' +
      'changing a course; get_catalog_item shows what visitors see.',
    audience: 'operator',
    scopes: ['courses:read'],
    input: courseInput,
    output: courseDetails,
    annotations: READS,
  })
  async getCourseDetails(call: ToolCall<z.infer<typeof courseInput>>): Promise<object> {
    return viewCourseDetails(await this.courses.get(operatorOf(call), call.input.id));
  }
}
