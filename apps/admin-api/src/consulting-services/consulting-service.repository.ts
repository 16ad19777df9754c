import type { Caller, Fence } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { preparedQuery } from '@lyceum/platform';
import { Where, keyStatement } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConsultingService, ConsultingTerms } from './consulting-service.entity.js';
import { CONSULTING_SERVICE_PARTS } from './consulting-service.listing.js';

const TERMS = `state, timezone, duration_minutes, sessions_included, validity_days, cancel_notice_hours, join_url,
  ${CONSULTING_SERVICE_PARTS.lecturer_ids} as lecturer_ids`;

/** The terms of services that an order sells, whose deletion waits for the end of the transaction. */
const SALE_TERMS = {
  name: 'consulting_services_sale_terms',
  text: `select id, state, timezone, sessions_included, validity_days from consulting_services
    where site_id = $1 and id = any($2::uuid[]) order by id for key share`,
};

/** The terms of a sale, with the service. */
export type ConsultingSaleTerms = Pick<
  ConsultingService,
  'id' | 'state' | 'timezone' | 'sessions_included' | 'validity_days'
>;

interface ServiceKey {
  readonly site_id: string;
  readonly id: string;
}

@Injectable()
export class ConsultingServiceRepository {
  /**
   * Reads the terms of a service on the connection of the transaction. With a second connection, transactions that wait
   * for the lock of a slot could exhaust the pool.
   */
  async terms(
    tx: EntityManager,
    caller: Caller,
    id: string,
    fence: Fence | undefined,
    lock: '' | 'for key share' = '',
  ): Promise<ConsultingTerms | undefined> {
    const where = new Where(caller).and('id = ?', id);
    if (fence?.value === undefined) where.also(fence?.condition ?? 'true');
    else where.and(fence.condition, fence.value);
    const { values, ...statement } = keyStatement('consulting_services', TERMS, where, lock);
    const [terms] = await preparedQuery<ConsultingTerms>(tx, statement, values);
    return terms;
  }

  /** Reads the terms of sales with one statement. */
  saleTerms(
    tx: EntityManager,
    { site_id }: Pick<ServiceKey, 'site_id'>,
    ids: readonly string[],
  ): Promise<ConsultingSaleTerms[]> {
    return preparedQuery(tx, SALE_TERMS, [site_id, ids]);
  }

  /** Replaces the lecturers of the locked service. @throws `validation_failed` for an id of no lecturer of the site */
  async setLecturers(tx: EntityManager, { site_id, id }: ServiceKey, ids: readonly string[]): Promise<void> {
    await tx.query('delete from consulting_service_lecturers where site_id = $1 and consulting_service_id = $2', [
      site_id,
      id,
    ]);
    if (ids.length === 0) return;
    const named = await tx.query<unknown[]>(
      `insert into consulting_service_lecturers (site_id, consulting_service_id, lecturer_id, position)
       select $1, $2, l.id, named.position
       from unnest($3::uuid[]) with ordinality named (id, position)
       join lecturers l on l.site_id = $1 and l.id = named.id
       for key share of l
       returning lecturer_id`,
      [site_id, id, ids],
    );
    if (named.length === ids.length) return;
    throw new ApiError('validation_failed', 'This site has no such lecturer', {
      errors: [{ pointer: '/lecturer_ids', code: 'not_found', detail: 'Each is the id of a lecturer of this site' }],
    });
  }

  /** Returns the services whose first lecturer is this one. */
  async withFirstLecturer(tx: EntityManager, { site_id, id }: ServiceKey): Promise<readonly string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `select consulting_service_id as id from consulting_service_lecturers
       where site_id = $1 and lecturer_id = $2 and position = 1 order by consulting_service_id`,
      [site_id, id],
    );
    return rows.map((row) => row.id);
  }
}
