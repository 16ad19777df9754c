import { surfaceOf } from '@lyceum/collections';
import { collections } from './collections.js';
import { EnrollmentController } from './enrollments/enrollment.controller.js';
import type { Surface } from '@lyceum/rest';
import { PageController } from './pages/page.controller.js';
import { StudentController } from './students/student.controller.js';

const collected = surfaceOf(collections);

/** Everything that the OpenAPI document describes, in its order. */
export const surface: Surface = {
  controllers: [
    ...collected.controllers,
    StudentController,
    EnrollmentController,
    PageController,
  ],
  tags: {
    ...collected.tags,
    appearance: 'Colors, logo and links of the site’s pages, and their earlier revisions.',
    pages: 'Static pages of the site.',
    students: 'Students of the site and their enrollments.',
  },
};
