import { collectionModule } from '@lyceum/collections';
import { CategoryModule } from '#src/categories/category.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { School1763683200000 } from '#src/migrations/1763683200000-school.js';
import { TextModule } from '#src/texts/text.module.js';
import { Course } from './course.entity.js';
import { CourseReferencesRepository } from './course-references.repository.js';
import { courseCollection } from './course.operations.js';
import { CourseService } from './course.service.js';

export const CourseModule = collectionModule({
  operations: [courseCollection],
  services: [CourseService],
  imports: [PictureModule, CategoryModule, TextModule],
  providers: [CourseReferencesRepository],
  entities: [Course],
  migrations: [School1763683200000],
  publisher: CourseService,
});
