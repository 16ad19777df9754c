import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EnrollmentImports } from '#src/enrollments/enrollment-imports.service.js';
import type { RowOutcome } from '#src/import-rows/import-row.policy.js';
import type { ImportRule, RowValues, RowWriter } from '#src/import-rows/row-writer.js';

/** Enrolls students in courses by the path of the bulk enrollment. */
@Injectable()
export class EnrollmentRows implements RowWriter {
  constructor(private readonly enrollments: EnrollmentImports) {}

  preview(caller: Caller, rows: readonly RowValues[], { mode }: ImportRule): Promise<readonly RowOutcome[]> {
    return this.enrollments.preview(caller, rows, mode);
  }

  run(
    caller: Caller,
    rows: readonly RowValues[],
    { mode }: ImportRule,
    tx: EntityManager,
  ): Promise<readonly RowOutcome[]> {
    return this.enrollments.run(caller, rows, mode, tx);
  }
}
