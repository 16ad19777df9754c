import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import {
  EntityIdPipe,
  Operation,
  SiteUrls,
  WriteResponse,
  WriteRequest,
  IdempotentWrites,
  emptyBody,
  listResponse,
  objectResponse,
} from '@lyceum/rest';
import type { ApiResponse, Urls, Write } from '@lyceum/rest';
import {
  enrollmentCreate,
  enrollmentGetQuery,
  enrollmentList,
  enrollmentListQuery,
  enrollmentPatch,
  enrollmentView,
} from './enrollment.schema.js';
import type { EnrollmentCreate, EnrollmentListQuery, EnrollmentPatch } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';
import { enrollmentHeaders, viewEnrollment } from './enrollment.view.js';

/** What a request to enroll somebody who is enrolled names the enrollment by. */
const OPENED_BY = { course_id: true };

@Audience('operator')
@Controller('api/v1/students/:student_id/enrollments')
export class EnrollmentController {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Get()
  @RequireScopes('students:read')
  @Operation({
    id: 'listEnrollments',
    summary: 'List the enrolments of a student',
    description: 'Enrollments of every state, with the progress of the student.',
    answers: { 200: { description: 'One page of enrolments', schema: enrollmentList } },
    problems: ['not_found'],
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('student_id', EntityIdPipe) student_id: string,
    @Query({ schema: enrollmentListQuery }) query: EnrollmentListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.enrollments.list(principal, student_id, query);
    return listResponse(page, query, viewEnrollment, urls.nextPage);
  }

  @Get(':enrollment_id')
  @RequireScopes('students:read')
  @Operation({
    id: 'getEnrollment',
    summary: 'Get an enrolment',
    description: 'Returns the state, the end of access and the progress.',
    answers: { 200: { description: 'The enrolment', schema: enrollmentView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('student_id', EntityIdPipe) student_id: string,
    @Param('enrollment_id', EntityIdPipe) id: string,
    @Query({ schema: enrollmentGetQuery }) query: z.infer<typeof enrollmentGetQuery>,
  ): Promise<ApiResponse> {
    const enrollment = await this.enrollments.get(principal, student_id, id);
    return objectResponse(viewEnrollment(enrollment), enrollmentHeaders(enrollment), query.fields);
  }

  @Post()
  @RequireScopes('students:write')
  @Operation({
    id: 'createEnrollment',
    summary: 'Enrol a student in a course',
    description:
      'Idempotent: a live enrolment is answered as it is, with 200. One that had ended is active again, with 200 too. ' +
      'A course may be a draft, so that a cohort can be prepared; students see it once it is published.',
    answers: {
      200: { description: 'The enrolment that was there', schema: enrollmentView },
      201: { description: 'The new enrolment', schema: enrollmentView },
    },
    problems: ['invalid_state'],
  })
  create(
    @CurrentPrincipal() principal: Principal,
    @Param('student_id', EntityIdPipe) student_id: string,
    @Body({ schema: enrollmentCreate }) body: EnrollmentCreate,
    @WriteRequest() write: Write,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const { row, changed, created } = await this.enrollments.enroll(principal, student_id, body, tx);
      const headers = enrollmentHeaders(row);
      if (!created) {
        return WriteResponse.of(viewEnrollment(row), headers, { sent: changed ? body : OPENED_BY, changed });
      }
      const location = urls.to(`/api/v1/students/${student_id}/enrollments/${row.id}`);
      return WriteResponse.created(viewEnrollment(row), { ...headers, location }, body);
    });
  }

  @Patch(':enrollment_id')
  @RequireScopes('students:write')
  @Operation({
    id: 'updateEnrollment',
    summary: 'Change when an enrolment ends',
    description:
      'JSON Merge Patch (RFC 7396). `expires_at` extends or shortens access, null makes it for life. One that has ' +
      'expired or was revoked is active again, with the progress that it has.',
    answers: { 200: { description: 'The enrolment as it is now', schema: enrollmentView } },
    problems: ['invalid_state'],
  })
  patch(
    @CurrentPrincipal() principal: Principal,
    @Param('student_id', EntityIdPipe) student_id: string,
    @Param('enrollment_id', EntityIdPipe) id: string,
    @Body({ schema: enrollmentPatch }) patch: EnrollmentPatch,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const key = { student_id, id, ifMatch: write.ifMatch };
      const { row, changed } = await this.enrollments.extend(principal, key, patch, tx);
      return WriteResponse.of(viewEnrollment(row), enrollmentHeaders(row), { sent: patch, changed });
    });
  }

  @Post(':enrollment_id/revoke')
  @HttpCode(200)
  @RequireScopes('students:write')
  @Operation({
    id: 'revokeEnrollment',
    summary: 'Revoke an enrolment',
    description: 'Ends access now. Revoking once more changes nothing and answers 200; an expired one is refused.',
    answers: { 200: { description: 'The revoked enrolment', schema: enrollmentView } },
    problems: ['invalid_state'],
  })
  revoke(
    @CurrentPrincipal() principal: Principal,
    @Param('student_id', EntityIdPipe) student_id: string,
    @Param('enrollment_id', EntityIdPipe) id: string,
    @Body({ schema: emptyBody }) _body: undefined,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const key = { student_id, id, ifMatch: write.ifMatch };
      const { row, changed } = await this.enrollments.revoke(principal, key, tx);
      return WriteResponse.of(viewEnrollment(row), enrollmentHeaders(row), { sent: {}, changed });
    });
  }
}
