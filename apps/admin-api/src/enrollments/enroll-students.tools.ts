import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { BulkWrites, IDEMPOTENT, MAX_BULK, dryRun, name, operatorOf, toolBulkResults, toolWriteOf } from '@lyceum/rest';
import type { BulkResult } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CourseService } from '#src/courses/course.service.js';
import { studentEmail } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { enrollOwn, enrollTerms, oneOfError, requireOneOf } from './enroll-student.tools.js';
import { EnrollmentService } from './enrollment.service.js';

const named = z.strictObject({
  email: studentEmail
    .optional()
    .describe('The student by e-mail address; one who is not known is added, without a mail'),
  name: name(200).optional().describe('Name of a student who is added'),
  student_id: z.uuid().toLowerCase().optional().describe('The student by id, instead of email'),
  ...enrollOwn,
});
type NamedStudent = z.infer<typeof named>;

type EnrollAll = EnrollmentService['enrollAll'];

const enrollInput = z.object({
  students: z.array(named).min(1).max(MAX_BULK).describe('The students, at most 200'),
  atomic: z.boolean().default(false).describe('true: all students are enrolled or none'),
  ...enrollTerms,
});
type EnrollInput = z.infer<typeof enrollInput>;

const enrollOutput = toolBulkResults.extend({
  dry_run: dryRun,
  course: z.object({ id: z.uuid(), slug: z.string() }),
});

const DECLARATION = { tool: 'enroll_students', scopes: ['students:write'] } as const;

/** Enrolls many students with one call. */
@Injectable()
export class EnrollStudentsTools {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly writes: BulkWrites,
  ) {}

  @Tool({
    name: DECLARATION.tool,
    title: 'Enroll many students',
    core: true,
    audience: 'operator',
    scopes: DECLARATION.scopes,
    description:
      'Enrolls up to 200 students, each given by email or student_id, in one course, given by course_slug or course_id. ' +
      'Use it for a class; it returns one result for each student: 201 enrolled, 200 enrolled on these terms before, ' +
      'else the errors.',
    input: enrollInput,
    output: enrollOutput,
    annotations: IDEMPOTENT,
  })
  async enrollStudents(call: ToolCall<EnrollInput>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked: input } = toolWriteOf(DECLARATION, call);
    requireOneOf(input, 'course_slug', 'course_id');
    const { id, slug } =
      input.course_id === undefined
        ? await this.courses.getBySlug(principal, input.course_slug ?? '')
        : await this.courses.get(principal, input.course_id);
    const { plan_id = null, expires_at, atomic, students } = input;
    const terms = { course_id: id, plan_id, expires_at, source: 'manual' } as const;
    const body = { atomic, items: students };
    const response = await this.writes.run(principal, write, body, ({ tx }) =>
      this.#enroll(principal, students, terms, tx),
    );
    const { results, ...rest } = response.body as { readonly results: readonly BulkResult[] };
    return { ...rest, results: results.map(asStudents), dry_run: write.dryRun, course: { id, slug } };
  }

  async #enroll(
    principal: Principal,
    students: readonly NamedStudent[],
    terms: Omit<Parameters<EnrollAll>[1][number], 'student_id'>,
    tx: Parameters<EnrollAll>[2],
  ): ReturnType<EnrollAll> {
    const byEmail = students.flatMap((one) =>
      one.email === undefined || one.student_id !== undefined ? [] : [{ email: one.email, name: one.name }],
    );
    const ids = byEmail.length === 0 ? undefined : await this.students.ensureAll(principal, byEmail, tx);
    const found = students.map(
      (one) => oneOfError(one, 'email', 'student_id') ?? one.student_id ?? ids?.get(one.email ?? ''),
    );
    const items = found.flatMap((id, index) => {
      const { external_id, metadata } = students[index] ?? {};
      return typeof id === 'string' ? [{ ...terms, student_id: id, external_id, metadata }] : [];
    });
    const outcomes = [...(await this.enrollments.enrollAll(principal, items, tx))];
    return found.map((one) => {
      const outcome = one instanceof ApiError ? one : outcomes.shift();
      if (outcome === undefined) throw new Error('A student has no result');
      return outcome;
    });
  }
}

/** Renames the pointers of a bulk request to the arguments of the tool. */
function asStudents({ errors, ...result }: BulkResult): BulkResult {
  const renamed = errors.map(({ pointer, ...error }) => ({
    ...error,
    pointer: pointer.replace('/items', '/students'),
  }));
  return { ...result, errors: renamed };
}
