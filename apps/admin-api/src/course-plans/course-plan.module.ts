import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { CoursePlans1764000130001 } from '#src/migrations/1764000130001-course-plans.js';
import { ListsOfPlans1764000290010 } from '#src/migrations/1764000290010-lists-of-plans.js';
import { PlansOfGrants1764000130002 } from '#src/migrations/1764000130002-plans-of-grants.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { coursePlanCollection } from './course-plan.operations.js';
import { CoursePlanRepository } from './course-plan.repository.js';
import { planOfCourseCollection } from './plan-of-course.operations.js';

export const CoursePlanModule = collectionModule({
  imports: [CourseModule, SchoolSettingsModule],
  operations: [coursePlanCollection, planOfCourseCollection],
  providers: [CoursePlanRepository],
  migrations: [CoursePlans1764000130001, PlansOfGrants1764000130002, ListsOfPlans1764000290010],
});
