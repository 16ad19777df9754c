import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { consultingServiceEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, copyOf } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnConsultingServices } from '#src/access/teacher.fence.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';
import { keepOrdered } from '#src/pending-orders/ordered-item.js';
import { publishedAt, transitionOf } from '#src/publication/publication.policy.js';
import type { Transition } from '#src/publication/publication.policy.js';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { requireCurrency } from '#src/school/currency.policy.js';
import { SchoolService } from '#src/school/school.service.js';
import { ConsultingService } from './consulting-service.entity.js';
import type { ConsultingTerms } from './consulting-service.entity.js';
import {
  CONSULTING_SERVICE_IN_USE,
  CONSULTING_SERVICE_PARTS,
  CONSULTING_SERVICE_TEXT,
} from './consulting-service.listing.js';
import { changesOfAdministrators, requireNotArchived } from './consulting-service.policy.js';
import { ConsultingServiceRepository } from './consulting-service.repository.js';
import type { ConsultingSaleTerms } from './consulting-service.repository.js';
import { consultingService as resource } from './consulting-service.schema.js';
import type {
  ConsultingServiceCreate,
  ConsultingServiceListQuery,
  ConsultingServicePatch,
} from './consulting-service.schema.js';

const OWN = ofOwnConsultingServices('id');

@Injectable()
export class ConsultingServiceService implements OnModuleInit {
  readonly #services: SiteStore<ConsultingService, typeof consultingServiceEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: ConsultingServiceRepository,
    private readonly schools: SchoolService,
    private readonly lecturers: LecturerService,
  ) {
    this.#services = stores.of({
      entity: ConsultingService,
      // Events name the first lecturer; lists do not show it.
      resource: copyOf(resource, {
        details: [...resource.details, 'lecturer'],
        search: { text: CONSULTING_SERVICE_TEXT },
      }),
      computed: CONSULTING_SERVICE_PARTS,
      fence: OWN,
      unique: { consulting_services_slug: 'slug', consulting_services_external_id: 'external_id' },
      events: consultingServiceEvents,
      data: (row, event) => ({
        consulting_service_id: row.id,
        site_id: row.site_id,
        slug: row.slug,
        name: row.name,
        image_url: row.image_url,
        state: event === 'deleted' ? 'deleted' : row.state,
        lecturer: row.lecturer,
        lecturer_ids: row.lecturer_ids,
        timezone: row.timezone,
        duration_minutes: row.duration_minutes,
        sessions_included: row.sessions_included,
        hosting_type: row.hosting_type,
        location: row.location,
      }),
    });
  }

  onModuleInit(): void {
    this.lecturers.renamed.add(async (tx, lecturer) => {
      for (const id of await this.repository.withFirstLecturer(tx, lecturer)) {
        const renamed = { event: 'updated', changes: {}, keepsTag: true } as const;
        await this.#services.change(tx, { site_id: lecturer.site_id }, { id }, () => renamed);
      }
    });
  }

  list(caller: Caller, query: ConsultingServiceListQuery): Promise<Page<ConsultingService>> {
    return this.#services.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<ConsultingService> {
    return this.#services.get(caller, id);
  }

  /**
   * Returns the terms of a service that accepts slots and purchases. Its deletion waits for the end of the transaction.
   *
   * @throws `not_found`; `invalid_state` if archived
   */
  async openTerms(tx: EntityManager, caller: Caller, id: string, to: string): Promise<ConsultingTerms> {
    const terms = await this.repository.terms(tx, caller, id, OWN(caller), 'for key share');
    if (terms === undefined) return this.#services.missing();
    requireNotArchived(terms.state, to);
    return terms;
  }

  /**
   * Returns the terms of services that an order sells. Their deletion waits for the end of the transaction. The terms
   * of one are `not_found` for an unknown service and `invalid_state` for an archived one.
   *
   * @param wasPending true for an order that was recorded before its payment. It also buys an archived service.
   */
  async saleTerms(
    tx: EntityManager,
    site: Pick<Caller, 'site_id'>,
    ids: readonly string[],
    wasPending = false,
  ): Promise<(id: string) => ConsultingSaleTerms> {
    const found = new Map((await this.repository.saleTerms(tx, site, ids)).map((terms) => [terms.id, terms]));
    return (id) => {
      const terms = found.get(id) ?? this.#services.missing();
      if (!wasPending) requireNotArchived(terms.state, 'be sold');
      return terms;
    };
  }

  /** Returns the terms of a service in any state. @throws `not_found` */
  async terms(tx: EntityManager, caller: Caller, id: string): Promise<ConsultingTerms> {
    return (await this.repository.terms(tx, caller, id, OWN(caller))) ?? this.#services.missing();
  }

  async create(
    caller: Caller,
    { lecturer_ids, ...input }: ConsultingServiceCreate,
    tx: EntityManager,
  ): Promise<Created<ConsultingService>> {
    requireAdministrator(caller, 'create consulting services');
    requireCurrency(input.price, await this.schools.currency(caller, tx));
    const also = await this.#lecturersOf(caller, lecturer_ids, tx);
    const made = await this.#services.insert(tx, caller, { ...input, ...also }, 'created');
    await this.repository.setLecturers(tx, made.row, lecturer_ids);
    return made;
  }

  async upsert({
    tx,
    principal,
    body: { lecturer_ids, ...input },
    patch,
    ...key
  }: UpsertRequest<ConsultingServiceCreate, ConsultingServicePatch>): Promise<Created<ConsultingService>> {
    requireAdministrator(principal, 'create consulting services');
    const currency = await this.schools.currency(principal, tx);
    const also = await this.#lecturersOf(principal, lecturer_ids, tx);
    const given: Partial<typeof also> = patch.lecturer_ids === undefined ? {} : also;
    const written = await this.#services.upsert(tx, principal, key, {
      create: () => {
        requireCurrency(input.price, currency);
        return { ...input, ...also };
      },
      decide: async (service) => {
        const update = updated(service, patch, currency);
        await keepOrdered(tx, 'consulting_services', service, update?.changes ?? {});
        return update && { ...update, also: given };
      },
    });
    const { row, changed, created } = written;
    if (!changed) return written;
    const lists: Partial<typeof also> = created ? also : given;
    if (lists.lecturer_ids !== undefined) await this.repository.setLecturers(tx, row, lists.lecturer_ids);
    return { ...written, row: Object.assign(row, lists) };
  }

  /**
   * Changes a service. A teacher cannot change its price and its lecturers.
   *
   * @throws `forbidden`; `resource_in_use` when a pending order loses what it names or buys of the service
   */
  patch(
    caller: Caller,
    key: Key,
    patch: ConsultingServicePatch,
    tx: EntityManager,
  ): Promise<Written<ConsultingService>> {
    return this.#services.change(tx, caller, key, async (row) => {
      const update = updated(row, patch, await this.schools.currency(caller, tx));
      if (update === undefined) return undefined;
      const { lecturer_ids } = update.changes;
      if (changesOfAdministrators(update.changes)) {
        requireAdministrator(caller, 'set the price and the lecturers of a service');
      }
      await keepOrdered(tx, 'consulting_services', row, update.changes);
      if (lecturer_ids === undefined) return update;
      return { ...update, with: () => this.repository.setLecturers(tx, row, lecturer_ids) };
    });
  }

  move(caller: Caller, key: Key, name: Transition, tx: EntityManager): Promise<Written<ConsultingService>> {
    return this.#services.change(tx, caller, key, (service) => {
      const rule = transitionOf('consulting service', service.state, name);
      if (rule === undefined) return undefined;
      return {
        event: rule.event,
        changes: { state: rule.to, published_at: publishedAt(service, rule.to, new Date()) },
      };
    });
  }

  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<ConsultingService>> {
    // After the fence: a service that the caller cannot see is a 404, not a 403.
    const row = await this.#services.lock(tx, caller, key.id);
    requireAdministrator(caller, 'delete consulting services');
    await lockForDeletion(tx, 'consulting_services', row);
    const error = new ApiError('resource_in_use', 'The consulting service has slots, purchases or pending orders', {
      hint: 'Unpublish and archive it instead',
    });
    return this.#services.remove(tx, caller, key, { sql: CONSULTING_SERVICE_IN_USE, error });
  }

  republication(): Republication<typeof consultingServiceEvents> {
    return this.#services.republication();
  }

  /** Returns the computed lecturers of a row before they are stored. */
  async #lecturersOf(
    caller: Caller,
    lecturer_ids: readonly string[],
    tx: EntityManager,
  ): Promise<Pick<ConsultingService, 'lecturer' | 'lecturer_ids'>> {
    const [id] = lecturer_ids;
    const name = id === undefined ? undefined : await this.lecturers.nameOf(caller, id, tx);
    return {
      lecturer: id === undefined || name === undefined ? null : { lecturer_id: id, name },
      lecturer_ids: [...lecturer_ids],
    };
  }
}

function updated(service: ConsultingService, patch: ConsultingServicePatch, currency: string | null) {
  requireNotArchived(service.state, 'change');
  const changes = changedColumns(service, patch, resource);
  if (changes === undefined) return undefined;
  if (changes.price !== undefined) requireCurrency(changes.price, currency);
  return { event: 'updated' as const, changes };
}
