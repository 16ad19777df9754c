import { Injectable } from '@nestjs/common';
import type { consultingMeetingEvents, consultingPurchaseEvents, consultingServiceEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

/** Revoked purchases, and those whose service is not out or gone, are not there. */
const VISIBLE = `q.site_id = :site AND q.person_id = :person AND q.state IN ('active', 'expired')
                 AND v.site_id = q.site_id AND v.state NOT IN ('draft', 'deleted')`;

const PURCHASE = `consulting_purchase q JOIN consulting_service v ON v.consulting_service_id = q.consulting_service_id`;

export const consultingServices: FieldSource = {
  kind: 'connection',
  name: 'consultingServices',
  from: `${PURCHASE} WHERE ${VISIBLE}`,
  keys: ['q.purchased_at', 'q.purchase_id'],
};

/** The purchase that another row of the same person names in `id`. */
export const consultingServiceOf = (id: string): string => `${PURCHASE} WHERE q.purchase_id = ${id} AND ${VISIBLE}`;

export const consultingServiceSources: Sources = {
  PurchasedConsultingService: {
    id: sql.uuid('q.purchase_id'),
    serviceId: sql.uuid('q.consulting_service_id'),
    slug: sql.text('v.slug'),
    name: sql.text('v.name'),
    lecturer: {
      kind: 'one',
      from: {
        ConsultingLecturer: `(VALUES (v.lecturer_id, v.lecturer_name)) AS l (lecturer_id, name) WHERE l.lecturer_id IS NOT NULL`,
      },
    },
    timezone: sql.text('v.timezone'),
    purchasedAt: sql.instant('q.purchased_at'),
    expireDate: sql.nullable(sql.instant('q.expires_at')),
    sessionsTotal: sql.number('q.sessions_total'),
    sessionsUsed: sql.number('q.sessions_used'),
    sessionsRemaining: sql.number('greatest(q.sessions_total - q.sessions_used, 0)'),
    bookings: {
      kind: 'connection',
      name: 'bookings',
      from: `consulting_meeting b WHERE b.site_id = :site AND b.person_id = :person AND b.purchase_id = q.purchase_id`,
      keys: ['b.starts_at', 'b.meeting_id'],
    },
  },
  ConsultingLecturer: {
    id: sql.uuid('l.lecturer_id'),
    name: sql.text('l.name'),
  },
  ConsultingBooking: {
    id: sql.uuid('b.meeting_id'),
    startsAt: sql.instant('b.starts_at'),
    endsAt: sql.instant('b.ends_at'),
    state: { kind: 'value', json: `'"' || upper(b.state) || '"'` },
    joinUrl: sql.nullable(sql.text(`CASE WHEN b.state = 'scheduled' THEN b.join_url END`)),
  },
};

type Service = z.output<(typeof consultingServiceEvents)['data']>;
type Purchase = z.output<(typeof consultingPurchaseEvents)['data']>;
type Meeting = z.output<(typeof consultingMeetingEvents)['data']>;

@Injectable()
export class ConsultingServicesRepository {
  async applyService(manager: EntityManager, service: Service, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO consulting_service AS old (consulting_service_id, site_id, version, slug, name, state, lecturer_id,
                                              lecturer_name, timezone)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (consulting_service_id) DO UPDATE
         SET version = excluded.version, slug = excluded.slug, name = excluded.name, state = excluded.state,
             lecturer_id = excluded.lecturer_id, lecturer_name = excluded.lecturer_name, timezone = excluded.timezone
         WHERE old.version < excluded.version`,
      [
        service.consulting_service_id,
        service.site_id,
        version,
        service.slug,
        service.name,
        service.state,
        service.lecturer?.lecturer_id ?? null,
        service.lecturer?.name ?? null,
        service.timezone,
      ],
    );
  }

  async applyPurchase(
    manager: EntityManager,
    purchase: Purchase & { person_id: string },
    version: number,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO consulting_purchase AS old (purchase_id, site_id, person_id, consulting_service_id, version, state,
                                               purchased_at, expires_at, sessions_total, sessions_used)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (purchase_id) DO UPDATE
         SET version = excluded.version, person_id = excluded.person_id, state = excluded.state,
             purchased_at = excluded.purchased_at, expires_at = excluded.expires_at,
             sessions_total = excluded.sessions_total, sessions_used = excluded.sessions_used
         WHERE old.version < excluded.version`,
      [
        purchase.purchase_id,
        purchase.site_id,
        purchase.person_id,
        purchase.consulting_service_id,
        version,
        purchase.state,
        purchase.purchased_at,
        purchase.expires_at,
        purchase.sessions_total,
        purchase.sessions_used,
      ],
    );
  }

  async applyMeeting(manager: EntityManager, meeting: Meeting & { person_id: string }, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO consulting_meeting AS old (meeting_id, site_id, person_id, purchase_id, version, starts_at, ends_at,
                                              state, join_url)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (meeting_id) DO UPDATE
         SET version = excluded.version, person_id = excluded.person_id, purchase_id = excluded.purchase_id,
             starts_at = excluded.starts_at, ends_at = excluded.ends_at, state = excluded.state,
             join_url = excluded.join_url
         WHERE old.version < excluded.version`,
      [
        meeting.meeting_id,
        meeting.site_id,
        meeting.person_id,
        meeting.purchase_id,
        version,
        meeting.starts_at,
        meeting.ends_at,
        meeting.state,
        meeting.join_url,
      ],
    );
  }
}
