import { defineForm, submitForm } from '@lyceum/contracts';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { FormSubmissionService } from '#src/form-submissions/form-submission.service.js';
import { FormService } from '#src/forms/form.service.js';
import { SiteCommands } from './site-commands.js';

/** Defines forms, and records what visitors and members submit: see docs/operate/storefront.md. */
@Injectable()
export class FormCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly forms: FormService,
    private readonly submissions: FormSubmissionService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(defineForm, async (site, definition, tx) => {
      const { id: form_id, slug, active } = await this.forms.define(site, definition, tx);
      return { form_id, slug, active };
    });
    this.commands.handle(submitForm, async (site, content, tx) => {
      const { id: submission_id, form_id, submitted_at } = await this.submissions.submit(site, content, tx);
      return { submission_id, form_id, submitted_at: iso(submitted_at) };
    });
  }
}
