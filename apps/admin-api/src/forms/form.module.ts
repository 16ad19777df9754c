import { collectionModule } from '@lyceum/collections';
import { formCollection } from './form.operations.js';
import { FormRepository } from './form.repository.js';

export const FormModule = collectionModule({
  operations: [formCollection],
  providers: [FormRepository],
});
