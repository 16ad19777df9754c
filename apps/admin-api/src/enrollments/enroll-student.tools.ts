import { View, withoutExpansions } from '@lyceum/collections';
import { holdsScopes } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import {
  IDEMPOTENT,
  IdempotentWrites,
  WriteResponse,
  dryRun,
  externalId,
  idIn,
  instant,
  metadata,
  name,
  operatorOf,
  slug,
  toolWrite,
  toolWriteOf,
  writtenOf,
} from '@lyceum/rest';
import { Tool, pairsOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CourseService } from '#src/courses/course.service.js';
import { personEmail, student as studentResource } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { shownEnrollment } from './enrollment.operations.js';
import { enrollment } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';

/** Arguments for the course and the end of access. */
export const enrollTerms = {
  course_slug: slug.optional().describe('The course by slug'),
  course_id: idIn.optional().describe('The course by id, instead of course_slug'),
  plan_id: idIn.optional().describe('The plan of the course by which access is given'),
  expires_at: instant
    .nullable()
    .optional()
    .describe('When access ends; null is for life. Without it, the plan decides, or access is for life'),
  ...toolWrite,
};

/** Arguments for the data of the school. */
export const enrollOwn = {
  external_id: externalId.optional(),
  metadata: pairsOf(metadata, { removes: false }) as z.ZodType<Record<string, string> | undefined>,
};

const enrollInput = z.object({
  email: personEmail
    .optional()
    .describe('The student by e-mail address; one who is not known is added, without a mail'),
  name: name(200).optional().describe('Name of a student who is added'),
  student_id: idIn.optional().describe('The student by id, instead of email'),
  ...enrollOwn,
  ...enrollTerms,
});

const enrollOutput = z.object({
  dry_run: dryRun,
  enrollment: writtenOf(withoutExpansions(enrollment)).extend({ student_id: z.uuid().nullable() }),
  course: z.object({ id: z.uuid(), slug: z.string(), name: z.string().optional().describe('With courses:read') }),
  student: z.object({
    id: z.uuid().nullable(),
    email: z.string().optional(),
    name: z.string().optional().describe('With students:read, or of a student who was added'),
  }),
  student_added: z.boolean(),
  enrolled_before: z.boolean().describe('An enrollment existed already; a live one is unchanged'),
});

const DECLARATION = { tool: 'enroll_student', scopes: ['students:write'] } as const;

type EnrollInput = z.infer<typeof enrollInput>;

/** Spans students, courses and enrollments, so it belongs to no single collection. */
@Injectable()
export class EnrollStudentTools {
  readonly #view = new View(shownEnrollment);

  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Tool({
    name: DECLARATION.tool,
    title: 'Enroll a student',
    core: true,
    audience: 'operator',
    scopes: DECLARATION.scopes,
    description:
      'Enrolls a student, given by email or student_id, in a course, given by course_slug or course_id. Use it to grant ' +
      'access by hand; the same terms again change nothing, and another plan or end is refused with already_exists.',
    input: enrollInput,
    output: enrollOutput,
    annotations: IDEMPOTENT,
  })
  async enrollStudent(call: ToolCall<EnrollInput>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked: input } = toolWriteOf(DECLARATION, call);
    requireOneOf(input, 'email', 'student_id');
    requireOneOf(input, 'course_slug', 'course_id');
    const course =
      input.course_id === undefined
        ? await this.courses.getBySlug(principal, input.course_slug ?? '')
        : await this.courses.get(principal, input.course_id);
    const response = await this.writes.run(principal, write, async (tx) => {
      const { row: student, created: student_added } =
        input.student_id === undefined
          ? await this.students.ensure(
              principal,
              studentResource.create.parse({ email: input.email, name: input.name }),
              tx,
            )
          : { row: await this.students.lock(principal, input.student_id, tx), created: false };
      const { plan_id = null, expires_at, external_id, metadata: values } = input;
      const own = { external_id, metadata: values };
      const grant = { course_id: course.id, expires_at, source: 'manual', plan_id, ...own } as const;
      const { row, changed, created } = await this.enrollments.enroll(principal, student.id, grant, tx);
      const body = {
        enrollment: { ...this.#view.object(row), ...unborn(write.dryRun, { id: created, student_id: student_added }) },
        student: {
          ...shownStudent(principal, student, { student_added, email: input.email }),
          ...unborn(write.dryRun, { id: student_added }),
        },
        student_added,
        enrolled_before: !created,
      };
      const key = { student_id: true, course_id: true };
      const sent = {
        enrollment: changed ? { ...key, ...given(own), expires_at: true } : key,
        student: input.email === undefined ? {} : { email: true },
        student_added: true,
        enrolled_before: true,
      };
      return WriteResponse.of(body, {}, { sent, changed });
    });
    const name = holdsScopes(principal, ['courses:read']) ? { name: course.name } : {};
    return {
      ...(response.body as object),
      dry_run: write.dryRun,
      course: { id: course.id, slug: course.slug, ...name },
    };
  }
}

/** `null` for each id that a dry run would create. */
function unborn(dryRun: boolean, made: Readonly<Record<string, boolean>>): Record<string, null> {
  const ids = Object.entries(made).filter(([, isNew]) => dryRun && isNew);
  return Object.fromEntries(ids.map(([member]) => [member, null]));
}

/** `true` for each member with a value. */
function given(members: object): Record<string, true> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([member]) => [member, true]));
}

/** Enrolling does not change an existing student, so their members need the read scope. */
function shownStudent(
  principal: Principal,
  { id, email, name: studentName }: { readonly id: string; readonly email: string; readonly name: string },
  { student_added, email: given }: { readonly student_added: boolean; readonly email: string | undefined },
): { id: string; email?: string; name?: string } {
  if (student_added || holdsScopes(principal, ['students:read'])) return { id, email, name: studentName };
  return given === undefined ? { id } : { id, email };
}

type Named = Partial<Pick<EnrollInput, 'email' | 'student_id' | 'course_slug' | 'course_id'>>;

/** @throws `validation_failed` unless exactly one of two arguments is given. */
export function requireOneOf(input: Named, one: keyof Named, other: keyof Named): void {
  const error = oneOfError(input, one, other);
  if (error !== undefined) throw error;
}

export function oneOfError(input: Named, one: keyof Named, other: keyof Named): ApiError | undefined {
  if ((input[one] === undefined) !== (input[other] === undefined)) return undefined;
  return new ApiError('validation_failed', `Exactly one of ${one} and ${other} is needed`, {
    errors: [
      { pointer: `/${one}`, code: 'invalid_value', detail: `Give ${one} or ${other}, not both and not neither` },
    ],
    hint: `Call again with ${one} or ${other}`,
  });
}
