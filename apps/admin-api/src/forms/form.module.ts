import { collectionModule } from '@lyceum/collections';
import { Forms1764000252001 } from '#src/migrations/1764000252001-forms.js';
import { Form } from './form.entity.js';
import { formCollection } from './form.operations.js';
import { FormRepository } from './form.repository.js';
import { FormService } from './form.service.js';

export const FormModule = collectionModule({
  operations: [formCollection],
  services: [FormService],
  providers: [FormRepository],
  entities: [Form],
  migrations: [Forms1764000252001],
  publisher: FormService,
});
