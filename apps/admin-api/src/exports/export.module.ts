import { collectionModule } from '@lyceum/collections';
import { ActivityModule } from '#src/activity/activity.module.js';
import { FiguresModule } from '#src/analytics/figures.module.js';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { FormSubmissionModule } from '#src/form-submissions/form-submission.module.js';
import { MemberModule } from '#src/members/member.module.js';
import { OrderModule } from '#src/orders/order.module.js';
import { ProgressModule } from '#src/progress/progress.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { AdministratorSources } from './administrator.sources.js';
import { AnalyticsSources } from './analytics.sources.js';
import { Export } from './export.entity.js';
import { ExportFiles } from './export.files.js';
import { exportCollection } from './export.operations.js';
import { ExportRepository } from './export.repository.js';
import { ExportService } from './export.service.js';
import { ExportSources } from './export.sources.js';

export const ExportModule = collectionModule({
  imports: [
    StudentModule,
    EnrollmentModule,
    ProgressModule,
    OrderModule,
    MemberModule,
    ActivityModule,
    FormSubmissionModule,
    FiguresModule,
    SchoolSettingsModule,
  ],
  operations: [exportCollection],
  services: [ExportService, ExportSources, AdministratorSources, AnalyticsSources, ExportFiles, ExportRepository],
  entities: [Export],
});
