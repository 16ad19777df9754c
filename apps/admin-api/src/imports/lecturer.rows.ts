import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RowOutcome } from '#src/import-rows/import-row.policy.js';
import { ObjectImports } from '#src/import-rows/object-imports.js';
import type { ImportRule, RowValues } from '#src/import-rows/row-writer.js';
import type { Lecturer } from '#src/lecturers/lecturer.entity.js';
import { lecturer, lecturerRow } from '#src/lecturers/lecturer.schema.js';
import type { LecturerRow } from '#src/lecturers/lecturer.schema.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';

@Injectable()
export class LecturerRows extends ObjectImports<Lecturer, LecturerRow, Partial<LecturerRow>> {
  constructor(private readonly lecturers: LecturerService) {
    super(lecturers, { one: lecturer.one, create: lecturerRow, unique: ['slug', 'external_id'] });
  }

  override async run(
    caller: Caller,
    rows: readonly RowValues[],
    rule: ImportRule,
    tx: EntityManager,
  ): Promise<readonly RowOutcome[]> {
    await this.lecturers.lockForImport(caller, tx);
    return super.run(caller, rows, rule, tx);
  }
}
