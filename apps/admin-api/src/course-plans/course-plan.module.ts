import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { coursePlanCollection } from './course-plan.operations.js';
import { CoursePlanRepository } from './course-plan.repository.js';
import { planOfCourseCollection } from './plan-of-course.operations.js';

export const CoursePlanModule = collectionModule({
  imports: [CourseModule, SchoolSettingsModule],
  operations: [coursePlanCollection, planOfCourseCollection],
  providers: [CoursePlanRepository],
});
