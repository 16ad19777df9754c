import { collectionModule } from '@lyceum/collections';
import { CoursePlanModule } from '#src/course-plans/course-plan.module.js';
import { CourseModule } from '#src/courses/course.module.js';
import { CurriculumModule } from '#src/curriculum/curriculum.module.js';
import { courseCopyCollection } from './course-copy.operations.js';
import { CourseCopyRepository } from './course-copy.repository.js';

export const CourseCopyModule = collectionModule({
  imports: [CourseModule, CurriculumModule, CoursePlanModule],
  operations: [courseCopyCollection],
  providers: [CourseCopyRepository],
});
