import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { savepoint } from '@lyceum/messaging';
import {
  BulkWrites,
  IDEMPOTENT,
  MAX_BULK,
  dryRun,
  idIn,
  name,
  operatorOf,
  toolBulkResults,
  toolWriteOf,
} from '@lyceum/rest';
import type { BulkResult } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CourseService } from '#src/courses/course.service.js';
import { personEmail } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { enrollOwn, enrollTerms, oneOfError, requireOneOf } from './enroll-student.tools.js';
import { EnrollmentService } from './enrollment.service.js';

const named = z.strictObject({
  email: personEmail
    .optional()
    .describe('The student by e-mail address; one who is not known is added, without a mail'),
  name: name(200).optional().describe('Name of a student who is added'),
  student_id: idIn.optional().describe('The student by id, instead of email'),
  ...enrollOwn,
});
type NamedStudent = z.infer<typeof named>;

/** A student, or the error of one who was refused. */
type Item = NamedStudent | ApiError;

/** Undoes a run that added refused students. */
class AddedInVain extends Error {
  /** @param items of the next run, which does not add those students */
  constructor(readonly items: readonly Item[]) {
    super('A student was added and not enrolled');
  }
}

type EnrollAll = EnrollmentService['enrollAll'];
type Transaction = Parameters<EnrollAll>[2];
type Terms = Omit<Parameters<EnrollAll>[1][number], 'student_id'>;

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
    const items = students.map((one) => oneOfError(one, 'email', 'student_id') ?? one);
    const response = await this.writes.run(principal, write, body, ({ tx }) =>
      this.#enroll(principal, items, terms, tx),
    );
    const { results, ...rest } = response.body as { readonly results: readonly BulkResult[] };
    return { ...rest, results: results.map(asStudents), dry_run: write.dryRun, course: { id, slug } };
  }

  /** Returns the outcomes of the items. A student whose items are all refused is not added. */
  async #enroll(principal: Principal, items: readonly Item[], terms: Terms, tx: Transaction): ReturnType<EnrollAll> {
    try {
      return await savepoint(tx, (inner) => this.#addAndEnroll(principal, items, terms, inner));
    } catch (error) {
      if (!(error instanceof AddedInVain)) throw error;
      return this.#enroll(principal, error.items, terms, tx);
    }
  }

  /** @throws {AddedInVain} */
  async #addAndEnroll(
    principal: Principal,
    items: readonly Item[],
    terms: Terms,
    tx: Transaction,
  ): ReturnType<EnrollAll> {
    const named = items.filter((item): item is NamedStudent => !(item instanceof ApiError));
    const byEmail = named.flatMap((one) => (one.email === undefined ? [] : [{ email: one.email, name: one.name }]));
    const ensured = byEmail.length === 0 ? undefined : await this.students.ensureAll(principal, byEmail, tx);
    const enrollments = named.map(({ email = '', student_id = ensured?.get(email)?.id, external_id, metadata }) => {
      if (student_id === undefined) throw new Error('A student was neither found nor added');
      return { ...terms, student_id, external_id, metadata };
    });
    const enrolled = await this.enrollments.enrollAll(principal, enrollments, tx);
    const results = [...enrolled];
    const outcomes = items.map((item) => {
      const outcome = item instanceof ApiError ? item : results.shift();
      if (outcome === undefined) throw new Error('A student has no result');
      return outcome;
    });
    const kept = new Set(enrolled.flatMap((one) => (one instanceof ApiError ? [] : [one.row.student_id])));
    const rest = items.map((item, at) => {
      const outcome = outcomes[at];
      if (item instanceof ApiError || !(outcome instanceof ApiError)) return item;
      const student = ensured?.get(item.email ?? '');
      return student?.created === true && !kept.has(student.id) ? outcome : item;
    });
    if (rest.some((item, at) => item !== items[at])) throw new AddedInVain(rest);
    return outcomes;
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
