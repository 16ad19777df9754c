import type { OfSite } from '@lyceum/contracts';
import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DigitalProductGrant } from './digital-product-grant.entity.js';

type GrantKey = Pick<DigitalProductGrant, 'site_id' | 'id'>;

/** A product that an order gave. */
export interface Sale {
  readonly grant_id: string;
  readonly student_id: string;
  readonly digital_product_id: string;
}

/** A grant that is stored as active. */
export type ActiveGrant = Pick<DigitalProductGrant, 'id' | 'digital_product_id' | 'state' | 'expires_at'>;

const ADD_SOURCES = {
  name: 'digital_product_grant_sources_add',
  text: `insert into digital_product_grant_sources (site_id, grant_id, digital_product_id, order_id, expires_at)
    select $1, id, digital_product_id, $2, expires_at
    from jsonb_to_recordset($3::jsonb) as s (id uuid, digital_product_id uuid, expires_at timestamptz)`,
};

const GIVEN = {
  name: 'digital_product_grants_given',
  text: 'select grant_id, digital_product_id from digital_product_grant_sources where site_id = $1 and order_id = $2',
};

const LOCK_ACTIVE = {
  name: 'digital_product_grants_lock_active',
  text: `select id, digital_product_id, state, expires_at from digital_product_grants
    where site_id = $1 and student_id = $2 and digital_product_id = any($3::uuid[]) and state = 'active'
    order by id for no key update`,
};

const LOCK_DUE = {
  name: 'digital_product_grants_lock_due',
  text: `select 1 as due from digital_product_grants
    where site_id = $1 and id = $2 and state = 'active' and expires_at <= $3 for no key update skip locked`,
};

/** SQL of `person_id`. */
export const PERSON = `(select s.person_id from students s
  where s.site_id = digital_product_grants.site_id and s.id = digital_product_grants.student_id)`;

/** Grants and what they come from. The caller has locked the student before it changes sources. */
@Injectable()
export class DigitalProductGrantRepository {
  constructor(private readonly sql: Sql) {}

  /** Adds a source to each grant. `order_id` null: grants by hand. */
  async addSources(
    tx: EntityManager,
    { site_id }: OfSite,
    order_id: string | null,
    sources: readonly Pick<DigitalProductGrant, 'id' | 'digital_product_id' | 'expires_at'>[],
  ): Promise<void> {
    if (sources.length > 0) await preparedQuery(tx, ADD_SOURCES, [site_id, order_id, JSON.stringify(sources)]);
  }

  /** Gives all sources of a grant that were not taken back the same end. */
  async endSources(tx: EntityManager, { site_id, id }: GrantKey, expires_at: Date | null): Promise<void> {
    await tx.query(
      `update digital_product_grant_sources set expires_at = $3
       where site_id = $1 and grant_id = $2 and taken_back_at is null`,
      [site_id, id, expires_at],
    );
  }

  /** Returns the number and the latest end of the sources of a grant that were not taken back. */
  async sum(
    tx: EntityManager,
    { site_id, id }: GrantKey,
  ): Promise<{ readonly sources: number; readonly expires_at: Date | null }> {
    const [sum] = await tx.query<{ sources: number; expires_at: Date | null }[]>(
      `select count(*)::int as sources, case when bool_and(expires_at is not null) then max(expires_at) end as expires_at
       from digital_product_grant_sources where site_id = $1 and grant_id = $2 and taken_back_at is null`,
      [site_id, id],
    );
    return sum ?? { sources: 0, expires_at: null };
  }

  /** Returns the grants that an order gave, by product. Those that were taken back count. */
  async given(tx: EntityManager, { site_id }: OfSite, order_id: string): Promise<ReadonlyMap<string, string>> {
    const sales = await preparedQuery<Sale>(tx, GIVEN, [site_id, order_id]);
    return new Map(sales.map(({ digital_product_id, grant_id }) => [digital_product_id, grant_id]));
  }

  /** Locks the active grants of a student for products. */
  lockActive(
    tx: EntityManager,
    { site_id }: OfSite,
    student_id: string,
    ids: readonly string[],
  ): Promise<ActiveGrant[]> {
    return preparedQuery(tx, LOCK_ACTIVE, [site_id, student_id, ids]);
  }

  /** Returns what an order gave and still gives: one product, or all of them in the order of their ids. */
  sales(
    tx: EntityManager,
    { site_id }: OfSite,
    order_id: string,
    digital_product_id: string | undefined,
  ): Promise<Sale[]> {
    return tx.query<Sale[]>(
      `select s.grant_id, s.digital_product_id, g.student_id
       from digital_product_grant_sources s join digital_product_grants g on g.site_id = s.site_id and g.id = s.grant_id
       where s.site_id = $1 and s.order_id = $2 and s.taken_back_at is null
         and ($3::uuid is null or s.digital_product_id = $3)
       order by s.digital_product_id`,
      [site_id, order_id, digital_product_id ?? null],
    );
  }

  /** Takes one sale back. Returns false when another transaction has done so. */
  async takeBack(
    tx: EntityManager,
    { site_id }: OfSite,
    order_id: string,
    { digital_product_id }: Pick<Sale, 'digital_product_id'>,
  ): Promise<boolean> {
    const taken = await tx.query<unknown[]>(
      `with taken as (
         update digital_product_grant_sources set taken_back_at = now()
         where site_id = $1 and order_id = $2 and digital_product_id = $3 and taken_back_at is null returning 1
       ) select 1 from taken`,
      [site_id, order_id, digital_product_id],
    );
    return taken.length > 0;
  }

  /**
   * Increments the version of all grants of a student, so consumers accept their next events. It is no edit:
   * `updated_at` and the entity tag stay.
   */
  touchAll(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<DigitalProductGrant[]> {
    return tx.query<DigitalProductGrant[]>(
      `with digital_product_grants as (
         update digital_product_grants g set version = g.version + 1, links = g.links + 1
         where g.site_id = $1 and g.student_id = $2 returning g.*
       )
       select *, ${PERSON} as person_id from digital_product_grants order by created_at, id`,
      [site_id, student_id],
    );
  }

  /** Grants of all sites that have expired and are not stored as such. */
  due(now: Date, limit: number): Promise<GrantKey[]> {
    const text = `select site_id, id from digital_product_grants where state = 'active' and expires_at <= $1
      order by expires_at limit $2`;
    return this.sql.query<GrantKey>({ name: 'digital_product_grants_due', text }, [now, limit]);
  }

  /** Locks a grant that is due. Returns false if it is not due any more, or another transaction has locked it. */
  async lockDue(tx: EntityManager, { site_id, id }: GrantKey, now: Date): Promise<boolean> {
    return (await preparedQuery(tx, LOCK_DUE, [site_id, id, now])).length > 0;
  }
}
