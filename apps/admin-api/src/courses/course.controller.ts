import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import {
  EntityIdPipe,
  Operation,
  REVALIDATED,
  SiteUrls,
  WriteResponse,
  WriteRequest,
  IdempotentWrites,
  emptyBody,
  listResponse,
  objectResponse,
} from '@lyceum/rest';
import type { ApiResponse, Urls, Write } from '@lyceum/rest';
import type { CourseTransition } from './course.policy.js';
import { courseCreate, courseGetQuery, courseList, courseListQuery, coursePatch, courseView } from './course.schema.js';
import type { CourseCreate, CourseListQuery, CoursePatch } from './course.schema.js';
import { CourseService } from './course.service.js';
import { courseHeaders, viewCourse, viewCourseSummary } from './course.view.js';

const ONE = { 200: { description: 'The course', schema: courseView } };
const CHANGED = { 200: { description: 'The course as it is now', schema: courseView } };

@Audience('operator')
@Controller('api/v1/courses')
export class CourseController {
  constructor(
    private readonly courses: CourseService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Get()
  @RequireScopes('courses:read')
  @Operation({
    id: 'listCourses',
    summary: 'List courses',
    description: 'Courses of every state, without their descriptions.',
    answers: { 200: { description: 'One page of courses', schema: courseList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: courseListQuery }) query: CourseListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.courses.list(principal, query);
    return listResponse(page, query, viewCourseSummary, urls.nextPage).with(REVALIDATED);
  }

  @Get(':id')
  @RequireScopes('courses:read')
  @Operation({
    id: 'getCourse',
    summary: 'Get a course',
    description: 'Returns a course of any state with its description.',
    answers: ONE,
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: courseGetQuery }) query: z.infer<typeof courseGetQuery>,
  ): Promise<ApiResponse> {
    const course = await this.courses.get(principal, id);
    return objectResponse(viewCourse(course), courseHeaders(course), query.fields);
  }

  @Post()
  @RequireScopes('courses:write')
  @Operation({
    id: 'createCourse',
    summary: 'Create a course',
    description: 'The new course is a draft: nobody but operators sees it until it is published.',
    answers: { 201: { description: 'The new course', schema: courseView } },
    problems: ['already_exists'],
  })
  create(
    @CurrentPrincipal() principal: Principal,
    @Body({ schema: courseCreate }) body: CourseCreate,
    @WriteRequest() write: Write,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const course = await this.courses.create(principal, body, tx);
      const location = urls.to(`/api/v1/courses/${course.id}`);
      return WriteResponse.created(viewCourse(course), { ...courseHeaders(course), location }, body);
    });
  }

  @Patch(':id')
  @RequireScopes('courses:write')
  @Operation({
    id: 'updateCourse',
    summary: 'Change a course',
    description: 'JSON Merge Patch (RFC 7396): what is absent stays, null clears. An archived course stays as it is.',
    answers: CHANGED,
    problems: ['already_exists', 'invalid_state'],
  })
  patch(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: coursePatch }) patch: CoursePatch,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const { row, changed } = await this.courses.patch(principal, id, { patch, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewCourse(row), courseHeaders(row), { sent: patch, changed });
    });
  }

  @Post(':id/publish')
  @HttpCode(200)
  @RequireScopes('courses:write')
  @Operation({
    id: 'publishCourse',
    summary: 'Publish a course',
    description: 'From draft or unpublished. `published_at` keeps the first time.',
    answers: CHANGED,
    problems: ['invalid_state'],
  })
  publish(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: emptyBody }) _body: undefined,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.#move(principal, id, 'publish', write);
  }

  @Post(':id/unpublish')
  @HttpCode(200)
  @RequireScopes('courses:write')
  @Operation({
    id: 'unpublishCourse',
    summary: 'Take a course back',
    description: 'From published. Enrolments stay as they are.',
    answers: CHANGED,
    problems: ['invalid_state'],
  })
  unpublish(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: emptyBody }) _body: undefined,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.#move(principal, id, 'unpublish', write);
  }

  @Post(':id/archive')
  @HttpCode(200)
  @RequireScopes('courses:write')
  @Operation({
    id: 'archiveCourse',
    summary: 'Archive a course',
    description: 'From unpublished, and for good: it can be read, but neither changed nor published nor enrolled in.',
    answers: CHANGED,
    problems: ['invalid_state'],
  })
  archive(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: emptyBody }) _body: undefined,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.#move(principal, id, 'archive', write);
  }

  @Delete(':id')
  @RequireScopes('courses:write')
  @Operation({
    id: 'deleteCourse',
    summary: 'Delete a course',
    description:
      'For good, and only while nobody has ever been enrolled in it (progress hangs on enrolments, ended ones too) and no ' +
      'membership plan has it. Archive a course that is over.',
    answers: {
      200: { description: 'With `dry_run`: the course that would be deleted', schema: courseView },
      204: { description: 'It is gone' },
    },
    problems: ['resource_in_use'],
  })
  remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: emptyBody }) _body: undefined,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const course = await this.courses.remove(principal, { id, ifMatch: write.ifMatch }, tx);
      return WriteResponse.gone(viewCourse(course));
    });
  }

  #move(principal: Principal, id: string, name: CourseTransition, write: Write): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const course = await this.courses.move(principal, id, { name, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewCourse(course), courseHeaders(course), { sent: {}, changed: true });
    });
  }
}
