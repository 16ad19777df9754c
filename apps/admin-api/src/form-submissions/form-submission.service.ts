import { SiteStores } from '@lyceum/collections';
import type { Caller, SiteStore } from '@lyceum/collections';
import { formSubmissionEvents } from '@lyceum/contracts';
import type { FormField, OfSite, submitForm } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { copyOf, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { forAdministrators } from '#src/access/administrator.policy.js';
import { requireActive } from '#src/forms/form.policy.js';
import { FormService } from '#src/forms/form.service.js';
import { requireOccurred } from '#src/occurrences/occurrence.policy.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { answersOf } from './answers.policy.js';
import { FormSubmission } from './form-submission.entity.js';
import { FormSubmissionRepository, SUBMISSION_PARTS } from './form-submission.repository.js';
import { formSubmission as resource } from './form-submission.schema.js';
import type { FormSubmissionListQuery } from './form-submission.schema.js';

type Content<D extends { readonly input: z.ZodType }> = Omit<z.output<D['input']>, 'site' | 'idempotency_key'>;

interface OfForm {
  readonly form_id: string;
}

/** Submissions of visitors and students in the forms of a site. Owners and admins read them. */
@Injectable()
export class FormSubmissionService {
  readonly #submissions: SiteStore<FormSubmission, typeof formSubmissionEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: FormSubmissionRepository,
    private readonly forms: FormService,
    private readonly students: StudentService,
    private readonly outbox: Outbox,
  ) {
    this.#submissions = stores.of({
      entity: FormSubmission,
      // Events name the form; lists do not show it.
      resource: copyOf(resource, { details: ['form_slug'] }),
      fence: forAdministrators('read what was submitted'),
      computed: SUBMISSION_PARTS,
      events: formSubmissionEvents,
      data: ({ id, site_id, form_id, form_slug, student_id, answers, submitted_at }) => ({
        submission_id: id,
        site_id,
        form_id,
        form_slug,
        student_id,
        answers,
        submitted_at: iso(submitted_at),
      }),
    });
    students.linked.add((tx, student) => this.repository.touchAll(tx, student));
    students.erased.add((tx, student) => this.#erase(tx, student));
  }

  list(caller: Caller, query: FormSubmissionListQuery, of: OfForm): Promise<Page<FormSubmission>> {
    return listBelow(this.#submissions.list(caller, query, { ...of }), () => this.forms.get(caller, of.form_id));
  }

  get(caller: Caller, id: string, of: Partial<OfForm> = {}, tx?: EntityManager): Promise<FormSubmission> {
    return this.#submissions.get(caller, id, { ...of }, tx);
  }

  /** Returns the fields of a form. Undefined: the site has no such form. */
  async fieldsOf(caller: Caller, form_id: string, tx: EntityManager): Promise<readonly FormField[] | undefined> {
    return (await this.forms.find(caller, form_id, tx))?.fields;
  }

  /** Adds a submission to an active form, and counts it. */
  async submit(
    site: OfSite,
    { form: named, student, answers, occurred_at }: Content<typeof submitForm>,
    tx: EntityManager,
  ): Promise<FormSubmission> {
    const submitted_at = new Date(occurred_at);
    requireOccurred(submitted_at, new Date(), '/occurred_at');
    const student_id = student === null ? null : (await this.students.referred(site, student, tx)).id;
    if (student_id !== null) requireActiveStudent((await this.students.lock(site, student_id, tx)).state);
    const form = await this.forms.lock(site, named, tx);
    requireActive(form);
    const submission = { form_id: form.id, student_id, answers: answersOf(form.fields, answers), submitted_at };
    const { row } = await this.#submissions.insert(tx, site, submission, 'submitted');
    await this.forms.count(tx, form);
    return row;
  }

  republication(): Republication<typeof formSubmissionEvents> {
    return this.#submissions.republication();
  }

  /** Erases the answers of a student, and deletes the events that have them. */
  async #erase(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    for (const row of await this.repository.eraseAll(tx, student)) {
      await this.#submissions.publish(tx, row, 'erased');
      await this.outbox.erase(tx, formSubmissionEvents, { aggregate_id: row.id, version: row.version });
    }
  }
}
