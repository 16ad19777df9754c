import { collectionModule } from '@lyceum/collections';
import { Forms1764000252001 } from '#src/migrations/1764000252001-forms.js';
import { formCollection } from './form.operations.js';
import { FormRepository } from './form.repository.js';

export const FormModule = collectionModule({
  operations: [formCollection],
  providers: [FormRepository],
  migrations: [Forms1764000252001],
});
