import type { OfSite } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventRegistration } from './registration.entity.js';

type EventKey = OfSite & { readonly id: string };

/** A registration that is about to be made. */
export type NewRegistration = Pick<
  EventRegistration,
  'id' | 'ticket_id' | 'student_id' | 'state' | 'source' | 'order_id' | 'external_id' | 'metadata'
> & { readonly registered_at: string };

/** A registration after its cancellation, with the state before it. */
type CanceledRegistration = EventRegistration & { readonly was: EventRegistration['state'] };

/** SQL of the computed properties of a row. */
export const REGISTRATION_PARTS = {
  person_id: `(select s.person_id from students s
    where s.site_id = event_registrations.site_id and s.id = event_registrations.student_id)`,
  member_id: `(select s.member_id from students s
    where s.site_id = event_registrations.site_id and s.id = event_registrations.student_id)`,
} as const;

const PARTS = Object.entries(REGISTRATION_PARTS)
  .map(([property, sql]) => `${sql} as ${property}`)
  .join(', ');

const ROWS = `select site_id, id, version, event_id, ticket_id, student_id, state, source, order_id, registered_at,
  checked_in_at, canceled_at, external_id, metadata, created_at, updated_at, ${PARTS} from event_registrations`;

/** Builds an update that returns registrations with their computed properties. */
const changed = (set: string, where: string): string => `
  with event_registrations as (
    update event_registrations r set ${set} where r.site_id = $1 and ${where} returning r.*
  )
  ${ROWS} order by registered_at, id`;

const OPEN = {
  name: 'event_registrations_of_students',
  text: `${ROWS} where site_id = $1 and event_id = any($2::uuid[]) and student_id = any($3::uuid[])
    and state <> 'canceled'`,
};

const USED = {
  name: 'event_registrations_used',
  text: `${ROWS} where site_id = $1 and external_id = any($2::text[])`,
};

const INSERT = {
  name: 'event_registrations_insert',
  text: `with event_registrations as (
      insert into event_registrations (site_id, event_id, id, ticket_id, student_id, state, source, order_id,
        registered_at, external_id, metadata)
      select $1, event_id, id, ticket_id, student_id, state, source, order_id, registered_at, external_id, metadata
      from jsonb_to_recordset($2::jsonb) as r (event_id uuid, id uuid, ticket_id uuid, student_id uuid, state text, source text,
        order_id uuid, registered_at timestamptz, external_id text, metadata jsonb)
      order by external_id
      on conflict on constraint event_registrations_external_id do nothing
      returning *
    )
    ${ROWS}`,
};

/** The waiting list of active students without those whose ticket is sold out. */
const WAITING = {
  name: 'event_registrations_waiting',
  text: `select id, ticket_id from event_registrations r
    where site_id = $1 and event_id = $2 and state = 'waitlisted' and not exists (
      select 1 from event_tickets t
      where t.site_id = $1 and t.id = r.ticket_id and t.sold_count >= t.capacity)
      and (select s.state from students s where s.site_id = $1 and s.id = r.student_id) = 'active'
    order by registered_at, id limit $3 for no key update of r`,
};

@Injectable()
export class RegistrationRepository {
  /** Returns the registrations of students for a locked event, without canceled ones, by student. */
  async open(
    tx: EntityManager,
    { site_id, id }: EventKey,
    students: readonly string[],
  ): Promise<ReadonlyMap<string, EventRegistration>> {
    const rows = await preparedQuery<EventRegistration>(tx, OPEN, [site_id, [id], students]);
    return new Map(rows.map((row) => [row.student_id, row]));
  }

  /** Returns the registrations of a student for locked events, without canceled ones, by event. */
  async openOf(
    tx: EntityManager,
    { site_id }: OfSite,
    student_id: string,
    events: readonly string[],
  ): Promise<ReadonlyMap<string, EventRegistration>> {
    const rows = await preparedQuery<EventRegistration>(tx, OPEN, [site_id, events, [student_id]]);
    return new Map(rows.map((row) => [row.event_id, row]));
  }

  /** Returns the registrations of the site that have one of the external ids, by it. */
  async used(tx: EntityManager, { site_id }: OfSite, ids: readonly string[]): Promise<Map<string, EventRegistration>> {
    if (ids.length === 0) return new Map();
    const found = await preparedQuery<EventRegistration>(tx, USED, [site_id, ids]);
    return new Map(found.map((row) => [row.external_id ?? '', row]));
  }

  /** Inserts registrations with one statement. By student, without those whose external id was taken meanwhile. */
  async insert(
    tx: EntityManager,
    { site_id, id }: EventKey,
    registrations: readonly NewRegistration[],
  ): Promise<ReadonlyMap<string, EventRegistration>> {
    const all = registrations.map((one) => ({ ...one, event_id: id }));
    return new Map((await this.insertAll(tx, { site_id }, all)).map((row) => [row.student_id, row]));
  }

  /** Inserts registrations of locked events with one statement, as `insert` does. */
  async insertAll(
    tx: EntityManager,
    { site_id }: OfSite,
    registrations: readonly (NewRegistration & Pick<EventRegistration, 'event_id'>)[],
  ): Promise<readonly EventRegistration[]> {
    if (registrations.length === 0) return [];
    return preparedQuery<EventRegistration>(tx, INSERT, [site_id, JSON.stringify(registrations)]);
  }

  /** Locks the first ones of the waiting list of a locked event, in their order. */
  waiting(
    tx: EntityManager,
    { site_id, id }: EventKey,
    limit: number,
  ): Promise<readonly Pick<EventRegistration, 'id' | 'ticket_id'>[]> {
    return preparedQuery(tx, WAITING, [site_id, id, limit]);
  }

  /** Returns the events for which a student waits. */
  async waitingFor(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<readonly string[]> {
    const rows = await tx.query<{ event_id: string }[]>(
      `select event_id from event_registrations where site_id = $1 and student_id = $2 and state = 'waitlisted'`,
      [site_id, student_id],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Gives locked registrations of the waiting list a place. */
  promote(tx: EntityManager, { site_id }: OfSite, ids: readonly string[]): Promise<EventRegistration[]> {
    return tx.query<EventRegistration[]>(
      changed(`state = 'registered', version = r.version + 1, updated_at = now()`, 'r.id = any($2::uuid[])'),
      [site_id, ids],
    );
  }

  /** Cancels some registrations of a locked event that is canceled. */
  async cancelSome(
    tx: EntityManager,
    { site_id, id, canceled_at }: EventKey & { readonly canceled_at: Date | null },
    limit: number,
  ): Promise<readonly CanceledRegistration[]> {
    const open = await tx.query<Pick<EventRegistration, 'id' | 'state'>[]>(
      `select id, state from event_registrations
       where site_id = $1 and event_id = $2 and state in ('registered', 'waitlisted', 'checked_in')
       limit $3 for no key update`,
      [site_id, id, limit],
    );
    if (open.length === 0) return [];
    // Another statement: this one would compute values with the state from before it waited for a lock.
    const rows = await tx.query<EventRegistration[]>(
      changed(
        `state = 'canceled', checked_in_at = null, canceled_at = $3, version = r.version + 1, updated_at = now()`,
        'r.id = any($2::uuid[])',
      ),
      [site_id, open.map((row) => row.id), canceled_at],
    );
    const states = new Map(open.map((row) => [row.id, row.state]));
    return rows.map((row) => Object.assign({}, row, { was: states.get(row.id) ?? row.state }));
  }

  /** Returns the registrations that an order made and that are not canceled. */
  ofOrder(
    tx: EntityManager,
    { site_id }: OfSite,
    { order_id, ticket_id }: { readonly order_id: string; readonly ticket_id?: string },
  ): Promise<readonly Pick<EventRegistration, 'id' | 'event_id'>[]> {
    return tx.query(
      `select id, event_id from event_registrations
       where site_id = $1 and order_id = $2 and state <> 'canceled' and ($3::uuid is null or ticket_id = $3)
       order by event_id, id`,
      [site_id, order_id, ticket_id ?? null],
    );
  }

  /**
   * Increments the version of all registrations of a student, so consumers accept their next events. They show the
   * member: lists by `updated_at` have them.
   */
  touchAll(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<EventRegistration[]> {
    const set = 'version = r.version + 1, updated_at = now()';
    return tx.query<EventRegistration[]>(changed(set, 'r.student_id = $2'), [site_id, student_id]);
  }
}
