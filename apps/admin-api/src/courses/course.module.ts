import { collectionModule } from '@lyceum/collections';
import { CategoryModule } from '#src/categories/category.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { TextModule } from '#src/texts/text.module.js';
import { CourseReferencesRepository } from './course-references.repository.js';
import { courseCollection } from './course.operations.js';

export const CourseModule = collectionModule({
  operations: [courseCollection],
  imports: [PictureModule, CategoryModule, TextModule],
  providers: [CourseReferencesRepository],
});
