import { CourseController } from './courses/course.controller.js';
import { EnrollmentController } from './enrollments/enrollment.controller.js';
import type { Controller } from './openapi/routes.js';
import { StudentController } from './students/student.controller.js';

/** Everything that the OpenAPI document describes, in its order. */
export const surface: readonly Controller[] = [CourseController, StudentController, EnrollmentController];
