import { surfaceOf } from '@lyceum/collections';
import { collections } from './collections.js';
import { EnrollmentController } from './enrollments/enrollment.controller.js';
import type { Surface } from '@lyceum/rest';
import { SchoolController } from './school/school.controller.js';
import { StudentController } from './students/student.controller.js';

const collected = surfaceOf(collections);

/** Everything that the OpenAPI document describes, in its order. */
export const surface: Surface = {
  controllers: [
    ...collected.controllers,
    StudentController,
    EnrollmentController,
    SchoolController,
    AppearanceController,
  ],
  tags: {
    ...collected.tags,
    appearance: 'Colors, logo and links of the site’s pages, and their earlier revisions.',
    school: 'Name, language, currency and contact of the school.',
    students: 'Students of the site and their enrollments.',
  },
};
