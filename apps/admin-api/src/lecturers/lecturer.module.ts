import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { lecturerCourseCollection } from './lecturer-course.operations.js';
import { Lecturer } from './lecturer.entity.js';
import { lecturerCollection } from './lecturer.operations.js';
import { LecturerRepository } from './lecturer.repository.js';
import { LecturerService } from './lecturer.service.js';
import { PublicLecturerTools } from './public-lecturer.tools.js';

export const LecturerModule = collectionModule({
  imports: [CourseModule, PictureModule],
  operations: [lecturerCollection, lecturerCourseCollection],
  services: [LecturerService],
  providers: [LecturerRepository, PublicLecturerTools],
  entities: [Lecturer],
});
