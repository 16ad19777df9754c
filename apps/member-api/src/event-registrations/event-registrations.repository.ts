import { Injectable } from '@nestjs/common';
import type { eventRegistrationEvents, learningEventEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

/** Those whose event is not out or gone are not there; one that was called off stays, and says so. */
const VISIBLE = `r.site_id = :site AND r.person_id = :person
                 AND t.site_id = r.site_id AND t.state NOT IN ('draft', 'deleted')`;
// The school calls off the registrations of an event too, but it may do so late.
const STATE = `CASE WHEN t.state = 'cancelled' THEN 'cancelled' ELSE r.state END`;

const REGISTRATION = 'event_registration r JOIN event t ON t.event_id = r.event_id';

export const eventRegistrations: FieldSource = {
  kind: 'connection',
  name: 'eventRegistrations',
  from: `${REGISTRATION} WHERE ${VISIBLE}`,
  keys: ['r.registered_at', 'r.registration_id'],
};

/** The registration that another row of the same person names in `id`. */
export const eventRegistrationOf = (id: string): string =>
  `${REGISTRATION} WHERE r.registration_id = ${id} AND ${VISIBLE}`;

export const eventRegistrationSources: Sources = {
  EventRegistration: {
    id: sql.uuid('r.registration_id'),
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
    joinUrl: sql.nullable(sql.text(`CASE WHEN ${STATE} = 'registered' THEN t.join_url END`)),
    ticketName: sql.nullable(sql.text('r.ticket_name')),
    state: { kind: 'value', json: `'"' || upper(${STATE}) || '"'` },
    registeredAt: sql.instant('r.registered_at'),
    checkedInAt: sql.nullable(sql.instant('r.checked_in_at')),
    cancelledAt: sql.nullable(sql.instant('r.cancelled_at')),
  },
};

type LearningEvent = z.output<(typeof learningEventEvents)['data']>;
type Registration = z.output<(typeof eventRegistrationEvents)['data']>;

@Injectable()
export class EventRegistrationsRepository {
  async applyEvent(manager: EntityManager, event: LearningEvent, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO event AS old (event_id, site_id, version, slug, name, image_url, hosting_type, join_url, location,
                                 starts_at, ends_at, timezone, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (event_id) DO UPDATE
         SET version = excluded.version, slug = excluded.slug, name = excluded.name, image_url = excluded.image_url,
             hosting_type = excluded.hosting_type, join_url = excluded.join_url, location = excluded.location,
             starts_at = excluded.starts_at, ends_at = excluded.ends_at, timezone = excluded.timezone,
             state = excluded.state
         WHERE old.version < excluded.version`,
      [
        event.event_id,
        event.site_id,
        version,
        event.slug,
        event.name,
        event.image_url,
        event.hosting_type,
        event.join_url,
        event.location,
        event.starts_at,
        event.ends_at,
        event.timezone,
        event.state,
      ],
    );
  }

  async applyRegistration(
    manager: EntityManager,
    registration: Registration & { person_id: string },
    version: number,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO event_registration AS old (registration_id, site_id, person_id, event_id, version, ticket_name, state,
                                              registered_at, checked_in_at, cancelled_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (registration_id) DO UPDATE
         SET version = excluded.version, person_id = excluded.person_id, ticket_name = excluded.ticket_name,
             state = excluded.state, registered_at = excluded.registered_at,
             checked_in_at = excluded.checked_in_at, cancelled_at = excluded.cancelled_at
         WHERE old.version < excluded.version`,
      [
        registration.registration_id,
        registration.site_id,
        registration.person_id,
        registration.event_id,
        version,
        registration.ticket_name,
        registration.state,
        registration.registered_at,
        registration.checked_in_at,
        registration.cancelled_at,
      ],
    );
  }
}
