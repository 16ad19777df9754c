import { Injectable } from '@nestjs/common';
import { CourseService } from '#src/courses/course.service.js';
import { ChangeRepository } from './change.repository.js';

/** Keeps the teachers of courses that are deleted, so that the feed shows them the deletion. */
@Injectable()
export class DeletedCourses {
  constructor(courses: CourseService, changes: ChangeRepository) {
    courses.removing.add((tx, course) => changes.keepTeachers(tx, course));
  }
}
