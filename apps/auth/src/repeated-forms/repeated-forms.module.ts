import { Module } from '@nestjs/common';
import { PagesModule } from '#src/pages/pages.module.js';
import { FormResponsesRepository } from './form-responses.repository.js';
import { RepeatedForms } from './repeated-forms.js';

@Module({
  imports: [PagesModule],
  providers: [FormResponsesRepository, RepeatedForms],
  exports: [RepeatedForms],
})
export class RepeatedFormsModule {}
