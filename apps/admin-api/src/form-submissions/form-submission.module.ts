import { collectionModule } from '@lyceum/collections';
import { FormModule } from '#src/forms/form.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { FormSubmission } from './form-submission.entity.js';
import { formSubmissionCollection, flatFormSubmissionCollection } from './form-submission.operations.js';
import { FormSubmissionRepository } from './form-submission.repository.js';
import { FormSubmissionService } from './form-submission.service.js';

export const FormSubmissionModule = collectionModule({
  imports: [FormModule, StudentModule],
  operations: [formSubmissionCollection, flatFormSubmissionCollection],
  services: [FormSubmissionService],
  providers: [FormSubmissionRepository],
  entities: [FormSubmission],
  publisher: FormSubmissionService,
});
