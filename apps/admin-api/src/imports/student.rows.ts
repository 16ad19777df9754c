import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { JobFailure } from '#src/file-jobs/file-job.policy.js';
import type { RowOutcome } from '#src/import-rows/import-row.policy.js';
import type { ImportRule, RowValues, RowWriter } from '#src/import-rows/row-writer.js';
import { StudentImports } from '#src/students/student-imports.service.js';
import type { StudentOutcome } from '#src/students/student-imports.service.js';
import type { ImportError } from './import.policy.js';

/** Imports students, and enrolls them in the course of the import. */
@Injectable()
export class StudentRows implements RowWriter {
  constructor(
    private readonly students: StudentImports,
    private readonly enrollments: EnrollmentService,
  ) {}

  preview(caller: Caller, rows: readonly RowValues[], { mode, course_id }: ImportRule): Promise<readonly RowOutcome[]> {
    return this.students.preview(caller, rows, { mode, enrolls: course_id !== null });
  }

  /** @throws {JobFailure} when the course takes no enrollments: the transaction must roll back */
  async run(
    caller: Caller,
    rows: readonly RowValues[],
    rule: ImportRule,
    tx: EntityManager,
  ): Promise<readonly RowOutcome[]> {
    const { mode, course_id, send_welcome_email } = rule;
    const how = { mode, send_welcome_email, enrolls: course_id !== null };
    const outcomes = await this.students.run(caller, rows, how, tx);
    await this.#enroll(rule, caller, outcomes, tx);
    return outcomes;
  }

  async #enroll(
    { course_id, plan_id }: ImportRule,
    caller: Caller,
    outcomes: readonly StudentOutcome[],
    tx: EntityManager,
  ): Promise<void> {
    if (course_id === null) return;
    const items = outcomes.flatMap((outcome) =>
      outcome.kind === 'refused'
        ? []
        : [{ student_id: outcome.student_id, course_id, plan_id, source: 'import' as const }],
    );
    const results = await this.enrollments.enrollAll(caller, items, tx);
    const refused = results.filter((result) => result instanceof ApiError);
    // A student who is enrolled on other terms keeps them. Each student is active, so only the course or the plan can
    // refuse the others.
    if (refused.some(({ code }) => code !== 'already_exists')) throw new JobFailure<ImportError>('course_closed');
  }
}
