import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { JobFailure } from '#src/file-jobs/file-job.policy.js';
import { StudentImports } from '#src/students/student-imports.service.js';
import type { RowOutcome } from '#src/students/student-imports.service.js';
import { FaultLog } from './import.faults.js';
import { IMPORT_LIMITS, noRows } from './import.policy.js';
import type { ImportError } from './import.policy.js';
import type { ImportJob } from './import.queue.js';
import type { DonePart } from './import.repository.js';
import type { ImportRow } from './import.row.policy.js';

/** Writes the rows of a part with the same number of statements for any number of rows. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly students: StudentImports,
    private readonly enrollments: EnrollmentService,
  ) {}

  /** @throws {JobFailure} when the course takes no enrollments: the transaction must roll back */
  async write(job: ImportJob, caller: Caller, rows: readonly ImportRow[], tx: EntityManager): Promise<DonePart> {
    const { mode, course_id, send_welcome_email } = job;
    const rule = { mode, send_welcome_email, enrolls: course_id !== null };
    const students = rows.map(({ student }) => student);
    const outcomes = await this.students.run(caller, students, rule, tx);
    await this.#enroll(job, caller, outcomes, tx);
    const counts = noRows();
    const log = new FaultLog(IMPORT_LIMITS.faults - job.faults_count);
    for (const [index, { line }] of rows.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error('A row has no outcome');
      if (outcome.kind !== 'refused') counts[`rows_${outcome.kind}`] += 1;
      else {
        log.add([{ line, ...outcome.refusal }]);
        counts.rows_failed += 1;
      }
    }
    return { counts, faults: log.stored, faults_count: log.count };
  }

  async #enroll(
    { course_id, plan_id }: ImportJob,
    caller: Caller,
    outcomes: readonly RowOutcome[],
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
