import { collectionModule } from '@lyceum/collections';
import { School1763683200000 } from '#src/migrations/1763683200000-school.js';
import { Course } from './course.entity.js';
import { CourseReferencesRepository } from './course-references.repository.js';
import { CourseOperations } from './course.operations.js';
import { CourseService } from './course.service.js';
import { PublicCourseTools } from './public-course.tools.js';

export const CourseModule = collectionModule({
  operations: [CourseOperations],
  services: [CourseService],
  providers: [CourseReferencesRepository, PublicCourseTools],
  entities: [Course],
  migrations: [School1763683200000],
  publisher: CourseService,
});
