import { Injectable } from '@nestjs/common';
import type { Course } from '#src/courses/course.entity.js';
import { course } from '#src/courses/course.schema.js';
import { CourseImports } from '#src/curriculum/course-imports.service.js';
import { courseRow } from '#src/curriculum/course-row.schema.js';
import type { CourseRow } from '#src/curriculum/course-row.schema.js';
import { ObjectImports } from '#src/import-rows/object-imports.js';

@Injectable()
export class CourseRows extends ObjectImports<Course, CourseRow, Partial<CourseRow>> {
  constructor(courses: CourseImports) {
    super(courses, { one: course.one, create: courseRow, unique: ['slug', 'external_id'] });
  }
}
