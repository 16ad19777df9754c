import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { LecturerCourseOperations } from './lecturer-course.operations.js';
import { Lecturer } from './lecturer.entity.js';
import { LecturerOperations } from './lecturer.operations.js';
import { LecturerRepository } from './lecturer.repository.js';
import { LecturerService } from './lecturer.service.js';
import { PublicLecturerTools } from './public-lecturer.tools.js';

export const LecturerModule = collectionModule({
  imports: [CourseModule, PictureModule],
  operations: [LecturerOperations, LecturerCourseOperations],
  services: [LecturerService],
  providers: [LecturerRepository, PublicLecturerTools],
  entities: [Lecturer],
  publisher: LecturerService,
});
