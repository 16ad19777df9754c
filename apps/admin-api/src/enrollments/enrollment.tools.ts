import { Outcome } from '@lyceum/errors';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Answer } from '#src/answers/answer.js';
import { CourseService } from '#src/courses/course.service.js';
import { studentCreate } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { email, instant, slug, text } from '#src/validation/fields.js';
import { parseIdempotencyKey } from '#src/writes/write.decorator.js';
import { requestHash } from '#src/writes/write.js';
import { Writes } from '#src/writes/writes.service.js';
import { enrollmentView } from './enrollment.schema.js';
import { EnrollmentService } from './enrollment.service.js';
import { viewEnrollment } from './enrollment.view.js';

const enrollInput = z.object({
  email: email.optional().describe('The student by e-mail address; one who is not known is added, without a mail'),
  name: text(200).optional().describe('Name of a student who is added'),
  student_id: z.uuid().optional().describe('The student by id, instead of email'),
  course_slug: slug.optional().describe('The course by slug'),
  course_id: z.uuid().optional().describe('The course by id, instead of course_slug'),
  expires_at: instant.nullable().default(null).describe('When access ends; null is for life'),
  idempotency_key: z.string().min(1).max(255).optional().describe('The same key again answers the same, for 24 hours'),
  dry_run: z.boolean().default(false).describe('Checks everything and changes nothing'),
});

const enrollOutput = z.object({
  enrollment: enrollmentView,
  course: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }),
  student: z.object({ id: z.uuid(), email: z.string(), name: z.string() }),
  student_added: z.boolean(),
  enrolled_before: z.boolean().describe('There was an enrolment already; a live one is unchanged'),
  dry_run: z.boolean(),
});

type EnrollInput = z.infer<typeof enrollInput>;

@Injectable()
export class EnrollmentTools {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly writes: Writes,
  ) {}

  @Tool({
    name: 'enroll_student',
    title: 'Enrol a student',
    description:
      'Enrols a student of this site in a course. Give email or student_id, and course_slug or course_id. Use it to ' +
      'grant access by hand; enrolling twice changes nothing.',
    audience: 'operator',
    scopes: ['students:write'],
    input: enrollInput,
    output: enrollOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })
  async enrollStudent({ input, principal, idempotencyKey }: ToolCall<EnrollInput>): Promise<unknown> {
    if (principal === null) throw new Outcome('invalid_token', 'This tool needs an operator');
    requireOneOf(input, 'email', 'student_id');
    requireOneOf(input, 'course_slug', 'course_id');
    const { idempotency_key, dry_run, ...asked } = input;
    const write = {
      key: parseIdempotencyKey(idempotency_key ?? idempotencyKey),
      operation: 'TOOL enroll_student',
      requestHash: requestHash(asked),
      dryRun: dry_run,
      ifMatch: undefined,
    };
    const course =
      input.course_id === undefined
        ? await this.courses.getBySlug(principal, input.course_slug ?? '')
        : await this.courses.get(principal, input.course_id);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const { student, created: student_added } =
        input.student_id === undefined
          ? await this.students.create(principal, studentCreate.parse({ email: input.email, name: input.name }), tx)
          : { student: await this.students.lock(principal, { id: input.student_id }, tx), created: false };
      const grant = { course_id: course.id, expires_at: input.expires_at, source: 'manual' } as const;
      const { enrollment, created } = await this.enrollments.enroll(principal, student.id, grant, tx);
      return new Answer(200, {
        enrollment: viewEnrollment(enrollment),
        course: { id: course.id, slug: course.slug, name: course.name },
        student: { id: student.id, email: student.email, name: student.name },
        student_added,
        enrolled_before: !created,
        dry_run,
      });
    });
    return answer.body;
  }
}

function requireOneOf(input: EnrollInput, one: keyof EnrollInput, other: keyof EnrollInput): void {
  if ((input[one] === undefined) !== (input[other] === undefined)) return;
  throw new Outcome('validation_failed', `Exactly one of ${one} and ${other} is needed`, {
    errors: [
      { pointer: `/${one}`, code: 'invalid_value', detail: `Give ${one} or ${other}, not both and not neither` },
    ],
    hint: `Call again with ${one} or ${other}`,
  });
}
