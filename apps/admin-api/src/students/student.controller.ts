import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import {
  EntityIdPipe,
  Operation,
  SiteUrls,
  WriteResponse,
  WriteRequest,
  IdempotentWrites,
  listResponse,
  objectResponse,
} from '@lyceum/rest';
import type { ApiResponse, Urls, Write } from '@lyceum/rest';
import {
  studentCreate,
  studentGetQuery,
  studentList,
  studentListQuery,
  studentPatch,
  studentView,
} from './student.schema.js';
import type { StudentCreate, StudentListQuery, StudentPatch } from './student.schema.js';
import { StudentService } from './student.service.js';
import { studentHeaders, viewStudent } from './student.view.js';

/** What a request to add a student who exists names them by. */
const KNOWN_BY = { email: true };

@Audience('operator')
@Controller('api/v1/students')
export class StudentController {
  constructor(
    private readonly students: StudentService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Get()
  @RequireScopes('students:read')
  @Operation({
    id: 'listStudents',
    summary: 'List students',
    description: 'Students of the site, also those whom it has removed.',
    answers: { 200: { description: 'One page of students', schema: studentList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: studentListQuery }) query: StudentListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.students.list(principal, query);
    return listResponse(page, query, viewStudent, urls.nextPage);
  }

  @Get(':id')
  @RequireScopes('students:read')
  @Operation({
    id: 'getStudent',
    summary: 'Get a student',
    description: 'Returns the profile, as the site has it, and the number of live enrollments.',
    answers: { 200: { description: 'The student', schema: studentView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: studentGetQuery }) query: z.infer<typeof studentGetQuery>,
  ): Promise<ApiResponse> {
    const student = await this.students.get(principal, id);
    return objectResponse(viewStudent(student), studentHeaders(student), query.fields);
  }

  @Post()
  @RequireScopes('students:write')
  @Operation({
    id: 'createStudent',
    summary: 'Add a student',
    description:
      'Idempotent by e-mail address: a student who is there already is answered as they are, with 200; one who was ' +
      'removed is active again. No mail is sent unless `send_welcome_email` asks for it.',
    answers: {
      200: { description: 'The student was there already', schema: studentView },
      201: { description: 'The new student', schema: studentView },
    },
    problems: ['already_exists'],
  })
  create(
    @CurrentPrincipal() principal: Principal,
    @Body({ schema: studentCreate }) body: StudentCreate,
    @WriteRequest() write: Write,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const { student, created } = await this.students.create(principal, body, tx);
      const headers = studentHeaders(student);
      // What else the request sent is not what the student has.
      if (!created) return WriteResponse.of(viewStudent(student), headers, { sent: KNOWN_BY, changed: false });
      const location = urls.to(`/api/v1/students/${student.id}`);
      return WriteResponse.created(viewStudent(student), { ...headers, location }, body);
    });
  }

  @Patch(':id')
  @RequireScopes('students:write')
  @Operation({
    id: 'updateStudent',
    summary: 'Change a student',
    description:
      'JSON Merge Patch (RFC 7396). Another `email` ends the link to the person (`person_id` is null until the person of ' +
      'the new address is linked). The account of the person of the old address stays as it is, without this student.',
    answers: { 200: { description: 'The student as they are now', schema: studentView } },
    problems: ['already_exists'],
  })
  patch(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: studentPatch }) patch: StudentPatch,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const { row, changed } = await this.students.patch(principal, id, { patch, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewStudent(row), studentHeaders(row), { sent: patch, changed });
    });
  }
}
