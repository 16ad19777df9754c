import { surfaceOf } from '@lyceum/collections';
import { collections } from './collections.js';
import { EnrollmentController } from './enrollments/enrollment.controller.js';
import type { Surface } from '@lyceum/rest';
import { StudentController } from './students/student.controller.js';

const collected = surfaceOf(collections);

/** Everything that the OpenAPI document describes, in its order. */
export const surface: Surface = {
  controllers: [...collected.controllers, StudentController, EnrollmentController],
  tags: {
    ...collected.tags,
    students: 'Students of the site and their enrollments.',
  },
};
