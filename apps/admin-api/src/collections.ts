import type { CollectionModule } from '@lyceum/collections';
import { AppearanceModule } from './appearance/appearance.module.js';
import { CourseModule } from './courses/course.module.js';
import { EnrollmentModule } from './enrollments/enrollment.module.js';
import { SchoolSettingsModule } from './school/school-settings.module.js';
import { StudentModule } from './students/student.module.js';

/**
 * The collections of the operator API, in the order of the OpenAPI document. The service takes modules, entities,
 * migrations, routes, tools and what it publishes again from this list; consumers' references go first.
 */
export const collections: readonly CollectionModule[] = [
  CourseModule,
  StudentModule,
  EnrollmentModule,
  SchoolSettingsModule,
  AppearanceModule,
];
