import { collectionModule } from '@lyceum/collections';
import { FormModule } from '#src/forms/form.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { formSubmissionCollection, flatFormSubmissionCollection } from './form-submission.operations.js';
import { FormSubmissionRepository } from './form-submission.repository.js';

export const FormSubmissionModule = collectionModule({
  imports: [FormModule, StudentModule],
  operations: [formSubmissionCollection, flatFormSubmissionCollection],
  providers: [FormSubmissionRepository],
});
