import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { CoursePlans1764000130001 } from '#src/migrations/1764000130001-course-plans.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { CoursePlan } from './course-plan.entity.js';
import { CoursePlanOperations } from './course-plan.operations.js';
import { CoursePlanService } from './course-plan.service.js';

export const CoursePlanModule = collectionModule({
  imports: [CourseModule, SchoolSettingsModule],
  operations: [CoursePlanOperations],
  services: [CoursePlanService],
  entities: [CoursePlan],
  migrations: [CoursePlans1764000130001],
  publisher: CoursePlanService,
});
