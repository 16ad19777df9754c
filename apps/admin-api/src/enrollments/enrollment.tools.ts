import { holdsScopes } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CourseService } from '#src/courses/course.service.js';
import {
  MOVES,
  READS,
  REPLACES,
  WriteResponse,
  IdempotentWrites,
  dryRun,
  email,
  instantText,
  itemsOf,
  name,
  newestFirst,
  operatorOf,
  slug,
  toolItems,
  toolPage,
  toolWrite,
  toolWriteOf,
  writtenOf,
} from '@lyceum/rest';
import { student as studentResource } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { ENROLLMENT_STATES } from './enrollment.policy.js';
import { enrollmentView } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';
import { viewEnrollment } from './enrollment.view.js';

const studentId = z.uuid().toLowerCase().describe('Id of the student; list_students has it');

const enrollInput = z.object({
  email: email.optional().describe('The student by e-mail address; one who is not known is added, without a mail'),
  name: name(200).optional().describe('Name of a student who is added'),
  student_id: z.uuid().toLowerCase().optional().describe('The student by id, instead of email'),
  course_slug: slug.optional().describe('The course by slug'),
  course_id: z.uuid().toLowerCase().optional().describe('The course by id, instead of course_slug'),
  expires_at: instantText.nullable().default(null).describe('When access ends; null is for life'),
  ...toolWrite,
});

const written = writtenOf(enrollmentView);

const enrollOutput = z.object({
  dry_run: dryRun,
  enrollment: written.extend({ student_id: z.uuid().nullable() }),
  course: z.object({ id: z.uuid(), slug: z.string(), name: z.string().optional().describe('With courses:read') }),
  student: z.object({
    id: z.uuid().nullable(),
    email: z.string().optional(),
    name: z.string().optional().describe('With students:read, or of a student who was added'),
  }),
  student_added: z.boolean(),
  enrolled_before: z.boolean().describe('An enrolment existed already; a live one is unchanged'),
});

const listInput = z.object({
  student_id: studentId,
  state: z.enum(ENROLLMENT_STATES).optional().describe('Only those in this state'),
  course_id: z.uuid().toLowerCase().optional().describe('Only the enrolment in this course'),
  ...toolPage,
});
const listOutput = itemsOf(
  enrollmentView.pick({
    id: true,
    course_id: true,
    state: true,
    source: true,
    started_at: true,
    expires_at: true,
    completion_rate: true,
  }),
);

const enrollmentKey = {
  student_id: studentId,
  enrollment_id: z.uuid().toLowerCase().describe('Id of the enrolment; list_enrollments has it'),
};
const updateInput = z.object({
  ...enrollmentKey,
  expires_at: instantText.nullable().describe('When access ends; null is for life'),
  ...toolWrite,
});
const cancelInput = z.object({ ...enrollmentKey, ...toolWrite });
const changedEnrollment = z.object({ dry_run: dryRun, enrollment: written });

const WRITES = { core: true, audience: 'operator', scopes: ['students:write'] } as const;

type EnrollInput = z.infer<typeof enrollInput>;

@Injectable()
export class EnrollmentTools {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Tool({
    ...WRITES,
    name: 'enroll_student',
    title: 'Enrol a student',
    description:
      'Enrols a student, given by email or student_id, in a course, given by course_slug or course_id. Use it to grant ' +
      'access by hand; enrolling twice changes nothing.',
    input: enrollInput,
    output: enrollOutput,
    annotations: MOVES,
  })
  async enrollStudent(call: ToolCall<EnrollInput>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked: input } = toolWriteOf({ ...WRITES, tool: 'enroll_student' }, call);
    requireOneOf(input, 'email', 'student_id');
    requireOneOf(input, 'course_slug', 'course_id');
    const course =
      input.course_id === undefined
        ? await this.courses.getBySlug(principal, input.course_slug ?? '')
        : await this.courses.get(principal, input.course_id);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const { row: student, created: student_added } =
        input.student_id === undefined
          ? await this.students.create(
              principal,
              studentResource.create.parse({ email: input.email, name: input.name }),
              tx,
            )
          : { row: await this.students.lock(principal, input.student_id, tx), created: false };
      const grant = { course_id: course.id, expires_at: input.expires_at, source: 'manual' } as const;
      const { row, changed, created } = await this.enrollments.enroll(principal, student.id, grant, tx);
      const body = {
        enrollment: { ...viewEnrollment(row), ...unborn(write.dryRun, { id: created, student_id: student_added }) },
        student: {
          ...shownStudent(principal, student, { student_added, email: input.email }),
          ...unborn(write.dryRun, { id: student_added }),
        },
        student_added,
        enrolled_before: !created,
      };
      const key = { student_id: true, course_id: true };
      const sent = {
        enrollment: changed ? { ...key, expires_at: true } : key,
        student: input.email === undefined ? {} : { email: true },
        student_added: true,
        enrolled_before: true,
      };
      return WriteResponse.of(body, {}, { sent, changed });
    });
    const name = holdsScopes(principal, ['courses:read']) ? { name: course.name } : {};
    return { ...(answer.body as object), dry_run: write.dryRun, course: { id: course.id, slug: course.slug, ...name } };
  }

  @Tool({
    core: true,
    name: 'list_enrollments',
    title: 'List the enrolments of a student',
    description:
      'Lists the courses that a student is or was enrolled in, newest first. Use it to see what a student has access ' +
      'to, and for the ids that update_enrollment and cancel_enrollment take.',
    audience: 'operator',
    scopes: ['students:read'],
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  listEnrollments(call: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const { student_id, ...input } = call.input;
    return toolItems(this.enrollments.list(operatorOf(call), student_id, newestFirst(input)), viewEnrollment);
  }

  @Tool({
    ...WRITES,
    name: 'update_enrollment',
    title: 'Change when an enrolment ends',
    description:
      'Sets when the access of an enrolment ends; one that had ended is active again. Use it to extend or shorten ' +
      'access; cancel_enrollment ends it now.',
    input: updateInput,
    output: changedEnrollment,
    annotations: REPLACES,
  })
  async updateEnrollment(call: ToolCall<z.infer<typeof updateInput>>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: 'update_enrollment' }, call);
    const { enrollment_id: id, student_id, ...patch } = asked;
    const answer = await this.writes.run(principal, write, async (tx) => {
      const key = { student_id, id, ifMatch: write.ifMatch };
      const { row, changed } = await this.enrollments.extend(principal, key, patch, tx);
      return WriteResponse.of(viewEnrollment(row), {}, { sent: patch, changed });
    });
    return { dry_run: write.dryRun, enrollment: answer.body };
  }

  @Tool({
    ...WRITES,
    name: 'cancel_enrollment',
    title: 'End an enrolment',
    description:
      'Revokes an enrolment, so that access ends now; once more changes nothing. Use it to take access away; ' +
      'update_enrollment gives it back.',
    input: cancelInput,
    output: changedEnrollment,
    annotations: REPLACES,
  })
  async cancelEnrollment(call: ToolCall<z.infer<typeof cancelInput>>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: 'cancel_enrollment' }, call);
    const { enrollment_id: id, student_id } = asked;
    const answer = await this.writes.run(principal, write, async (tx) => {
      const key = { student_id, id, ifMatch: write.ifMatch };
      const { row, changed } = await this.enrollments.revoke(principal, key, tx);
      return WriteResponse.of(viewEnrollment(row), {}, { sent: {}, changed });
    });
    return { dry_run: write.dryRun, enrollment: answer.body };
  }
}

/** `null` for each id that a dry run would make. */
function unborn(dryRun: boolean, made: Readonly<Record<string, boolean>>): Record<string, null> {
  const ids = Object.entries(made).filter(([, isNew]) => dryRun && isNew);
  return Object.fromEntries(ids.map(([member]) => [member, null]));
}

/** Enrolling does not change a student who exists: what is known of them needs the read scope. */
function shownStudent(
  principal: Principal,
  { id, email, name: studentName }: { readonly id: string; readonly email: string; readonly name: string },
  { student_added, email: given }: { readonly student_added: boolean; readonly email: string | undefined },
): { id: string; email?: string; name?: string } {
  if (student_added || holdsScopes(principal, ['students:read'])) return { id, email, name: studentName };
  return given === undefined ? { id } : { id, email };
}

type Named = Pick<EnrollInput, 'email' | 'student_id' | 'course_slug' | 'course_id'>;

function requireOneOf(input: Named, one: keyof Named, other: keyof Named): void {
  if ((input[one] === undefined) !== (input[other] === undefined)) return;
  throw new Outcome('validation_failed', `Exactly one of ${one} and ${other} is needed`, {
    errors: [
      { pointer: `/${one}`, code: 'invalid_value', detail: `Give ${one} or ${other}, not both and not neither` },
    ],
    hint: `Call again with ${one} or ${other}`,
  });
}
