import { collectionModule } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { routesOf } from '@lyceum/rest';
import { CourseModule } from '#src/courses/course.module.js';
import { CourseUpdatesController } from './course-updates.controller.js';

const collection = collectionModule({ imports: [CourseModule], operations: [], services: [] });

const controllers = [CourseUpdatesController];

export const CourseUpdatesModule: CollectionModule = {
  ...collection,
  controllers,
  routes: [...collection.routes, ...routesOf(controllers)],
};
