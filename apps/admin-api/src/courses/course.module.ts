import { collectionModule } from '@lyceum/collections';
import { CategoryModule } from '#src/categories/category.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { School1763683200000 } from '#src/migrations/1763683200000-school.js';
import { TextModule } from '#src/texts/text.module.js';
import { CourseReferencesRepository } from './course-references.repository.js';
import { courseCollection } from './course.operations.js';

export const CourseModule = collectionModule({
  operations: [courseCollection],
  imports: [PictureModule, CategoryModule, TextModule],
  providers: [CourseReferencesRepository],
  migrations: [School1763683200000],
});
