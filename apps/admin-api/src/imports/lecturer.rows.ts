import { Injectable } from '@nestjs/common';
import { ObjectImports } from '#src/import-rows/object-imports.js';
import type { Lecturer } from '#src/lecturers/lecturer.entity.js';
import { lecturer, lecturerRow } from '#src/lecturers/lecturer.schema.js';
import type { LecturerRow } from '#src/lecturers/lecturer.schema.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';

@Injectable()
export class LecturerRows extends ObjectImports<Lecturer, LecturerRow, Partial<LecturerRow>> {
  constructor(lecturers: LecturerService) {
    super(lecturers, { one: lecturer.one, create: lecturerRow, unique: ['slug', 'external_id'] });
  }
}
