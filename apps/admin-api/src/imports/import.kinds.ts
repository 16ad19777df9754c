import { category } from '#src/categories/category.schema.js';
import { lecturer, lecturerRow } from '#src/lecturers/lecturer.schema.js';
import { student } from '#src/students/student.schema.js';
import { CategoryRows } from './category.rows.js';
import type { Import } from './import.entity.js';
import { importKind } from './import.kind.js';
import type { ImportKind } from './import.kind.js';
import { LecturerRows } from './lecturer.rows.js';
import { StudentRows } from './student.rows.js';

/** All that imports know of a collection. */
export const IMPORT_KINDS: Readonly<Record<Import['collection'], ImportKind>> = {
  students: importKind({
    resource: student,
    // The import as a whole decides about mails.
    rows: student.create.omit({ send_welcome_email: true }),
    unique: ['email', 'external_id'],
    enrolls: true,
    writer: StudentRows,
  }),
  categories: importKind({
    resource: category,
    rows: category.create,
    unique: ['slug', 'external_id'],
    scope: 'courses:write',
    writer: CategoryRows,
  }),
  lecturers: importKind({
    resource: lecturer,
    rows: lecturerRow,
    unique: ['slug', 'external_id'],
    scope: 'lecturers:write',
    writer: LecturerRows,
  }),
};
