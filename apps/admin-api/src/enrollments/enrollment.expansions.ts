import { View } from '@lyceum/collections';
import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import { shownCourse } from '#src/courses/course.operations.js';
import { CourseService } from '#src/courses/course.service.js';
import { StudentService } from '#src/students/student.service.js';
import { student } from '#src/students/student.schema.js';
import type { Enrollment } from './enrollment.entity.js';

const VIEWS = { student: new View({ resource: student }), course: new View(shownCourse) };

/** The students and the courses of enrollments, as lists show them. */
@Injectable()
export class EnrollmentExpansions {
  constructor(
    private readonly students: StudentService,
    private readonly courses: CourseService,
  ) {}

  async studentsOf(caller: Caller, rows: readonly Enrollment[]): Promise<ReadonlyMap<string, object>> {
    const found = await this.students.getAll(caller, [...new Set(rows.map(({ student_id }) => student_id))]);
    return shown(rows, ({ student_id }) => found.get(student_id), VIEWS.student);
  }

  async coursesOf(caller: Caller, rows: readonly Enrollment[]): Promise<ReadonlyMap<string, object>> {
    const found = await this.courses.getAll(caller, [...new Set(rows.map(({ course_id }) => course_id))]);
    return shown(rows, ({ course_id }) => found.get(course_id), VIEWS.course);
  }
}

function shown(
  rows: readonly Enrollment[],
  find: (row: Enrollment) => object | undefined,
  view: View,
): ReadonlyMap<string, object> {
  return new Map(
    rows.flatMap((row) => {
      const found = find(row);
      return found === undefined ? [] : [[row.id, view.summary(found)] as const];
    }),
  );
}
