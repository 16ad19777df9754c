import { collectionModule } from '@lyceum/collections';
import { CurriculumModule } from '#src/curriculum/curriculum.module.js';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { progressCollection, flatProgressCollection } from './progress.operations.js';
import { ProgressRepository } from './progress.repository.js';

export const ProgressModule = collectionModule({
  imports: [StudentModule, EnrollmentModule, CurriculumModule],
  operations: [progressCollection, flatProgressCollection],
  providers: [ProgressRepository],
});
