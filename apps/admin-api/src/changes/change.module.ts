import { collectionModule } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { routesOf } from '@lyceum/rest';
import { CourseModule } from '#src/courses/course.module.js';
import { ChangeRepository } from './change.repository.js';
import { ChangeService } from './change.service.js';
import { ChangesController } from './changes.controller.js';
import { DeletedCourses } from './deleted-courses.js';
import { ListChangesTools } from './list-changes.tools.js';

const collection = collectionModule({
  imports: [CourseModule],
  operations: [],
  services: [ChangeService],
  providers: [ChangeRepository, DeletedCourses, ListChangesTools],
});

const controllers = [ChangesController];

export const ChangeModule: CollectionModule = { ...collection, controllers, routes: routesOf(controllers) };

export const CHANGE_TAG = 'The events of the site as a list, for programs that keep a copy of its objects.';
