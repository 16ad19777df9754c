import { SiteStores } from '@lyceum/collections';
import type { Caller, SiteStore } from '@lyceum/collections';
import { formEvents } from '@lyceum/contracts';
import type { OfSite, submitForm } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { forAdministrators } from '#src/access/administrator.policy.js';
import { Form } from './form.entity.js';
import { changesOf, isAnother, requireRoom } from './form.policy.js';
import type { Definition } from './form.policy.js';
import { FormRepository } from './form.repository.js';
import { form as resource } from './form.schema.js';
import type { FormListQuery } from './form.schema.js';

type FormReference = z.output<typeof submitForm.input>['form'];

/** Forms of a site, which its storefront defines. Owners and admins read them. */
@Injectable()
export class FormService {
  readonly #forms: SiteStore<Form, typeof formEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: FormRepository,
  ) {
    this.#forms = stores.of({
      entity: Form,
      resource,
      fence: forAdministrators('read its forms'),
      unique: { forms_slug: 'slug', forms_external_id: 'external_id' },
      events: formEvents,
      data: ({ id, site_id, slug, title, active }) => ({ form_id: id, site_id, slug, title, active }),
    });
  }

  list(caller: Caller, query: FormListQuery): Promise<Page<Form>> {
    return this.#forms.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Form> {
    return this.#forms.get(caller, id);
  }

  find(caller: Caller, id: string, tx: EntityManager): Promise<Form | undefined> {
    return this.#forms.find(caller, { id }, tx);
  }

  /**
   * Adds a form, or replaces the one with the `external_id`, or else with the slug.
   *
   * @throws `already_exists` when the form with the slug has another `external_id`
   */
  async define(site: OfSite, definition: Definition, tx: EntityManager): Promise<Form> {
    const forms = await this.repository.lockAll(tx, site);
    const { external_id, slug } = definition;
    const keyed = external_id === null ? undefined : await this.#forms.findLocked(tx, site, { external_id });
    const named = keyed?.slug === slug ? keyed : await this.#forms.findLocked(tx, site, { slug });
    if (named !== undefined && isAnother(named, { keyed, external_id })) this.#forms.taken('slug', named);
    const known = keyed ?? named;
    if (known === undefined) {
      requireRoom(forms);
      return (await this.#forms.insert(tx, site, definition, 'created')).row;
    }
    const { row } = await this.#forms.change(tx, site, known, () => {
      const changes = changesOf(known, definition);
      return changes && { event: 'updated', changes };
    });
    return row;
  }

  /** Locks the form that a submission names. */
  async lock(site: OfSite, reference: FormReference, tx: EntityManager): Promise<Form> {
    return (await this.#forms.findLocked(tx, site, reference)) ?? this.#forms.missing();
  }

  /** Counts a submission of a locked form. */
  count(tx: EntityManager, form: Form): Promise<void> {
    return this.repository.count(tx, form);
  }

  republication(): Republication<typeof formEvents> {
    return this.#forms.republication();
  }
}
