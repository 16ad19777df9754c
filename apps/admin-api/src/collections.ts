import type { CollectionModule } from '@lyceum/collections';
import { ActivityModule } from './activity/activity.module.js';
import { AppearanceModule } from './appearance/appearance.module.js';
import { CategoryModule } from './categories/category.module.js';
import { CoursePlanModule } from './course-plans/course-plan.module.js';
import { CourseModule } from './courses/course.module.js';
import { CurriculumModule } from './curriculum/curriculum.module.js';
import { DigitalProductModule } from './digital-products/digital-product.module.js';
import { EnrollmentModule } from './enrollments/enrollment.module.js';
import { EventModule } from './events/event.module.js';
import { LecturerModule } from './lecturers/lecturer.module.js';
import { MembershipPlanModule } from './membership-plans/membership-plan.module.js';
import { PageModule } from './pages/page.module.js';
import { ProgressModule } from './progress/progress.module.js';
import { SchoolSettingsModule } from './school/school-settings.module.js';
import { StudentModule } from './students/student.module.js';

/**
 * The collections of the operator API, in the order of the OpenAPI document. The service takes modules, entities,
 * migrations, routes, tools and republications from this list. A collection follows those that its events refer to.
 */
export const collections: readonly CollectionModule[] = [
  CategoryModule,
  CourseModule,
  CoursePlanModule,
  StudentModule,
  EnrollmentModule,
  CurriculumModule,
  ProgressModule,
  DigitalProductModule,
  EventModule,
  MembershipPlanModule,
  LecturerModule,
  PageModule,
  SchoolSettingsModule,
  AppearanceModule,
  ActivityModule,
];
