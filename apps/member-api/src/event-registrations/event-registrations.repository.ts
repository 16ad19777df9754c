import { Injectable } from '@nestjs/common';
import { eventRegistrationEvents, eventEvents } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { downloadTokenSql } from '#src/download-links/download-links.js';
import type { Download } from '#src/download-links/download-links.js';
import { writeRowsOfPeople } from '#src/people/rows-of-people.js';
import { presentMember } from '#src/people/present-member.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { nodes, notificationSubject } from '#src/reading/source-catalog.js';
import { argument, byState, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { lockAggregates } from '#src/notifications/aggregate-locks.js';
import { NOTIFICATION_DAYS } from '#src/notifications/kinds.policy.js';
import type { Stored } from '#src/notifications/state-changes.js';
import { lockStates } from '#src/notifications/stored-states.js';
import { CANCELED_WITH_EVENT } from '#src/fan-outs/canceled-event.js';
import type { CalendarEntry } from './calendar.policy.js';
import type { EventPlan, RegistrationState } from './registration-notice.policy.js';

/** Excludes registrations whose event is unpublished or deleted. Registrations of a canceled event stay. */
const VISIBLE = `r.site_id = :site and r.person_id = :person
                 and t.site_id = r.site_id and t.state not in ('draft', 'deleted')`;
// The school also cancels the registrations of a canceled event, but that event may be late.
const STATE = `case when t.state = 'canceled' then 'canceled' else r.state end`;

const TICKET_NAME = `(select k.ticket->>'name' from jsonb_array_elements(t.tickets) as k (ticket)
                     where k.ticket->>'ticket_id' = r.ticket_id::text)`;

const JOIN_URL = `case when ${STATE} = 'registered' then t.join_url end`;
const TOKEN = downloadTokenSql('r.registration_id', 'r.event_id', 'r.event_id');
const CALENDAR_URL = `:base_url || '/member/calendars?token=' || ${TOKEN}`;

/**
 * Grows with each change of the event and of the registration, and with another registration of the member: all of
 * them share one calendar entry, and the file of an earlier one must not replace that of the newest one.
 */
const SEQUENCE = `(t.version + (select sum(o.version) from event_registrations o
  where o.site_id = r.site_id and o.event_id = r.event_id and o.person_id = r.person_id
    and (o.registered_at, o.registration_id) <= (r.registered_at, r.registration_id)))::int`;

const REGISTRATION = 'event_registrations r join events t on t.event_id = r.event_id';

const eventRegistrations: FieldSource = {
  kind: 'connection',
  name: 'eventRegistrations',
  from: `${REGISTRATION} where ${VISIBLE}`,
  keys: ['r.registered_at', 'r.registration_id'],
  filters: byState(`upper(${STATE})`),
};

/** The registration that `id` of another row of the same person refers to. */
const eventRegistrationOf = (id: string): string => `${REGISTRATION} where r.registration_id = ${id} and ${VISIBLE}`;

/** The member's newest registration for the event with a slug. */
const eventRegistrationBySlug: FieldSource = {
  kind: 'one',
  from: {
    EventRegistration: `${REGISTRATION} where t.slug = ${argument('slug', 'text')} and ${VISIBLE}
      order by r.registered_at desc, r.registration_id desc limit 1`,
  },
};

export const eventRegistrationSources: Sources = {
  ...notificationSubject('EventRegistration', eventRegistrationOf),
  ...nodes({ EventRegistration: eventRegistrationOf }),
  Viewer: { eventRegistrations, eventRegistration: eventRegistrationBySlug },
  EventRegistration: {
    id: sql.id('EventRegistration', 'r.registration_id'),
    eventId: sql.uuid('r.event_id'),
    slug: sql.text('t.slug'),
    name: sql.text('t.name'),
    imageUrl: sql.nullable(sql.text('t.image_url')),
    url: sql.text(`:base_url || '/events/' || t.slug`),
    startsAt: sql.instant('t.starts_at'),
    endsAt: sql.instant('t.ends_at'),
    timezone: sql.text('t.timezone'),
    hostingType: { kind: 'value', json: `'"' || upper(t.hosting_type) || '"'` },
    location: sql.nullable(sql.text('t.location')),
    joinUrl: sql.nullable(sql.text(JOIN_URL)),
    calendarUrl: sql.text(CALENDAR_URL),
    ticketId: sql.nullable(sql.uuid('r.ticket_id')),
    ticketName: sql.nullable(sql.text(TICKET_NAME)),
    state: sql.name(`upper(${STATE})`),
    registeredAt: sql.instant('r.registered_at'),
    checkedInAt: sql.nullable(sql.instant('r.checked_in_at')),
    canceledAt: sql.nullable(sql.instant('r.canceled_at')),
  },
};

/** A registration of an event that was canceled within the days of a notification. */
export interface CanceledRegistration {
  readonly registration_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly event_id: string;
  readonly name: string;
  readonly slug: string;
}

export type EventEvent = EventOf<[typeof eventEvents]>;
export type RegistrationEvent = EventOf<[typeof eventRegistrationEvents]>;

@Injectable()
@ReadModel('event-registrations')
export class EventRegistrationsRepository {
  constructor(private readonly database: Sql) {}

  /** Returns the event of a registration for the calendar of the member, if the member is present. */
  async calendarEntry(
    site_id: string,
    { row_id: registration_id, source_id: event_id }: Download,
  ): Promise<(Omit<CalendarEntry, 'host'> & { readonly slug: string }) | undefined> {
    const text = `
      select t.event_id, t.slug, t.name, t.starts_at, t.ends_at, t.location, ${SEQUENCE} as sequence,
             ${JOIN_URL} as join_url, ${STATE} as state
      from ${REGISTRATION}
      where r.registration_id = $2 and r.event_id = $3 and r.site_id = $1
        and t.site_id = r.site_id and t.state not in ('draft', 'deleted')
        and exists (select from ${presentMember('$1', 'r.person_id')})`;
    const values = [site_id, registration_id, event_id];
    const [row] = await this.database.query<Omit<CalendarEntry, 'host'> & { readonly slug: string }>(
      { name: 'event_calendar_entry', text },
      values,
    );
    return row;
  }

  lockEvents(ids: readonly string[], tx: EntityManager): Promise<Stored<EventPlan>[]> {
    const columns = ['state', 'hosting_type', 'location', 'starts_at', 'ends_at'] as const;
    return lockStates(tx, { table: 'events', id: 'event_id', columns }, ids);
  }

  /**
   * Locks registrations and, before them, their events. When a registration and the cancellation of its event arrive in
   * two concurrent transactions, neither sees the other's row.
   */
  async lockRegistrations(
    ids: readonly string[],
    eventIds: readonly string[],
    tx: EntityManager,
  ): Promise<Stored<RegistrationState>[]> {
    await lockAggregates(eventIds, tx);
    return lockStates(tx, { table: 'event_registrations', id: 'registration_id', columns: ['state'] }, ids);
  }

  /** The registrations among these whose members are notified that the event is canceled. */
  canceledWithEvent(ids: readonly string[], tx: EntityManager): Promise<CanceledRegistration[]> {
    return tx.query<CanceledRegistration[]>(
      `select r.registration_id, r.site_id, r.person_id, r.event_id, t.name, t.slug from ${REGISTRATION}
       where r.registration_id = any($1::uuid[]) and t.site_id = r.site_id and t.state = 'canceled'
         and t.canceled_at > now() - interval '${NOTIFICATION_DAYS} days' and ${CANCELED_WITH_EVENT}
       order by r.registration_id`,
      [ids],
    );
  }

  @Consumes(eventEvents, 'events', { table: 'events' })
  async applyEvents(events: readonly EventEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'events', key: ['event_id'] },
      rowsOf(events, [
        'event_id',
        'site_id',
        'slug',
        'name',
        'image_url',
        'hosting_type',
        'join_url',
        'location',
        'starts_at',
        'ends_at',
        'timezone',
        'tickets',
        'state',
        'canceled_at',
      ]),
    );
  }

  @Consumes(eventRegistrationEvents, 'event-registrations', { table: 'event_registrations' })
  async applyRegistrations(events: readonly RegistrationEvent[], tx: EntityManager): Promise<void> {
    await writeRowsOfPeople(tx, { table: 'event_registrations', id: 'registration_id' }, events, [
      'registration_id',
      'site_id',
      'person_id',
      'event_id',
      'ticket_id',
      'state',
      'registered_at',
      'checked_in_at',
      'canceled_at',
    ]);
  }
}
