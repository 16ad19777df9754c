import { category } from '#src/categories/category.schema.js';
import { course } from '#src/courses/course.schema.js';
import { courseRow } from '#src/curriculum/course-row.schema.js';
import { ENROLLMENT_KEYS } from '#src/enrollments/enrollment-rows.changes.js';
import { enrollment, enrollmentRow } from '#src/enrollments/enrollment.schema.js';
import { keysOf } from '#src/import-rows/import-mode.js';
import { lecturer, lecturerRow } from '#src/lecturers/lecturer.schema.js';
import { STUDENT_KEYS } from '#src/students/student-import.policy.js';
import { student } from '#src/students/student.schema.js';
import { CategoryRows } from './category.rows.js';
import { CourseRows } from './course.rows.js';
import { EnrollmentRows } from './enrollment.rows.js';
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
    keys: STUDENT_KEYS,
    enrolls: true,
    writer: StudentRows,
  }),
  categories: importKind({
    resource: category,
    rows: category.create,
    keys: keysOf('slug', 'external_id'),
    scopes: ['courses:write'],
    writer: CategoryRows,
  }),
  lecturers: importKind({
    resource: lecturer,
    rows: lecturerRow,
    keys: keysOf('slug', 'external_id'),
    scopes: ['lecturers:write'],
    writer: LecturerRows,
  }),
  courses: importKind({
    resource: course,
    rows: courseRow,
    keys: keysOf('slug', 'external_id'),
    scopes: ['courses:write', 'curriculum:write'],
    writer: CourseRows,
  }),
  enrollments: importKind({
    resource: enrollment,
    rows: enrollmentRow,
    keys: ENROLLMENT_KEYS,
    writer: EnrollmentRows,
  }),
};
