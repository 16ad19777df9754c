import { AppearanceController } from './appearance/appearance.controller.js';
import { CourseController } from './courses/course.controller.js';
import { EnrollmentController } from './enrollments/enrollment.controller.js';
import type { Controller } from './openapi/routes.js';
import { DigitalProductController } from './digital-products/digital-product.controller.js';
import { EventController } from './events/event.controller.js';
import { LecturerController } from './lecturers/lecturer.controller.js';
import { MembershipPlanController } from './membership-plans/membership-plan.controller.js';
import { PageController } from './pages/page.controller.js';
import { SchoolController } from './school/school.controller.js';
import { StudentController } from './students/student.controller.js';

/** Everything that the OpenAPI document describes, in its order. */
export const surface: readonly Controller[] = [
  CourseController,
  StudentController,
  EnrollmentController,
  DigitalProductController,
  EventController,
  MembershipPlanController,
  LecturerController,
  PageController,
  SchoolController,
  AppearanceController,
];
