import { Injectable } from '@nestjs/common';
import { consultingBookingEvents, consultingPurchaseEvents, consultingServiceEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { Stored } from '#src/notifications/state-changes.js';
import { lockStates } from '#src/notifications/stored-states.js';
import { writeRowsOfPeople } from '#src/people/rows-of-people.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { nodes, notificationSubject } from '#src/reading/source-catalog.js';
import { argument, byState, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import type { BookingPlan } from './booking-notice.policy.js';

/** Excludes revoked purchases, and purchases whose service is unpublished or deleted. */
const VISIBLE = `q.site_id = :site and q.person_id = :person and q.state in ('active', 'expired')
                 and v.site_id = q.site_id and v.state not in ('draft', 'deleted')`;

const PURCHASE = `consulting_purchases q join consulting_services v on v.consulting_service_id = q.consulting_service_id`;

const consultingServices: FieldSource = {
  kind: 'connection',
  name: 'consultingServices',
  from: `${PURCHASE} where ${VISIBLE}`,
  keys: ['q.purchased_at', 'q.purchase_id'],
};

/** The purchase that `id` of another row of the same person refers to. */
const consultingServiceOf = (id: string): string => `${PURCHASE} where q.purchase_id = ${id} and ${VISIBLE}`;

/** The member's newest purchase of the service with a slug. */
const consultingServiceBySlug: FieldSource = {
  kind: 'one',
  from: {
    PurchasedConsultingService: `${PURCHASE} where v.slug = ${argument('slug', 'text')} and ${VISIBLE}
      order by q.purchased_at desc, q.purchase_id desc limit 1`,
  },
};

/** A booking of the member, while its purchase is visible. */
const bookingOf = (id: string): string =>
  `consulting_bookings b where b.booking_id = ${id} and b.site_id = :site and b.person_id = :person
   and exists (select from ${PURCHASE} where q.purchase_id = b.purchase_id and ${VISIBLE})`;

export const consultingServiceSources: Sources = {
  ...notificationSubject('PurchasedConsultingService', consultingServiceOf),
  ...nodes({ PurchasedConsultingService: consultingServiceOf, ConsultingBooking: bookingOf }),
  Viewer: { consultingServices, consultingService: consultingServiceBySlug },
  PurchasedConsultingService: {
    id: sql.id('PurchasedConsultingService', 'q.purchase_id'),
    serviceId: sql.uuid('q.consulting_service_id'),
    slug: sql.text('v.slug'),
    name: sql.text('v.name'),
    lecturer: {
      kind: 'one',
      from: {
        ConsultingLecturer: `(values (v.lecturer_id, v.lecturer_name)) as l (lecturer_id, name) where l.lecturer_id is not null`,
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
      from: `consulting_bookings b where b.site_id = :site and b.person_id = :person and b.purchase_id = q.purchase_id`,
      keys: ['b.starts_at', 'b.booking_id'],
      filters: {
        ...byState('upper(b.state)'),
        isUpcoming: { type: 'boolean', where: (value) => `(b.state = 'scheduled' and b.ends_at > now()) = ${value}` },
      },
    },
  },
  ConsultingLecturer: {
    id: sql.uuid('l.lecturer_id'),
    name: sql.text('l.name'),
  },
  ConsultingBooking: {
    id: sql.id('ConsultingBooking', 'b.booking_id'),
    startsAt: sql.instant('b.starts_at'),
    endsAt: sql.instant('b.ends_at'),
    state: sql.name('upper(b.state)'),
    joinUrl: sql.nullable(sql.text(`case when b.state = 'scheduled' then b.join_url end`)),
  },
};

export type ServiceEvent = EventOf<[typeof consultingServiceEvents]>;
export type PurchaseEvent = EventOf<[typeof consultingPurchaseEvents]>;
export type BookingEvent = EventOf<[typeof consultingBookingEvents]>;

@Injectable()
@ReadModel('consulting-services')
export class ConsultingServicesRepository {
  lockServices(ids: readonly string[], tx: EntityManager): Promise<Stored<Pick<ServiceEvent['data'], 'state'>>[]> {
    return lockStates(tx, { table: 'consulting_services', id: 'consulting_service_id', columns: ['state'] }, ids);
  }

  lockPurchases(ids: readonly string[], tx: EntityManager): Promise<Stored<Pick<PurchaseEvent['data'], 'state'>>[]> {
    return lockStates(tx, { table: 'consulting_purchases', id: 'purchase_id', columns: ['state'] }, ids);
  }

  lockBookings(ids: readonly string[], tx: EntityManager): Promise<Stored<BookingPlan>[]> {
    return lockStates(tx, { table: 'consulting_bookings', id: 'booking_id', columns: ['state', 'starts_at'] }, ids);
  }

  @Consumes(consultingServiceEvents, 'consulting-services', { table: 'consulting_services' })
  async applyServices(events: readonly ServiceEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'consulting_services', key: ['consulting_service_id'] },
      rowsOf(events, ['consulting_service_id', 'site_id', 'slug', 'name', 'state', 'timezone'], ({ lecturer }) => ({
        lecturer_id: lecturer?.lecturer_id ?? null,
        lecturer_name: lecturer?.name ?? null,
      })),
    );
  }

  @Consumes(consultingPurchaseEvents, 'consulting-purchases', { table: 'consulting_purchases' })
  async applyPurchases(events: readonly PurchaseEvent[], tx: EntityManager): Promise<void> {
    await writeRowsOfPeople(tx, { table: 'consulting_purchases', id: 'purchase_id' }, events, [
      'purchase_id',
      'site_id',
      'person_id',
      'consulting_service_id',
      'state',
      'purchased_at',
      'expires_at',
      'sessions_total',
      'sessions_used',
    ]);
  }

  @Consumes(consultingBookingEvents, 'consulting-bookings', { table: 'consulting_bookings' })
  async applyBookings(events: readonly BookingEvent[], tx: EntityManager): Promise<void> {
    await writeRowsOfPeople(tx, { table: 'consulting_bookings', id: 'booking_id' }, events, [
      'booking_id',
      'site_id',
      'person_id',
      'purchase_id',
      'starts_at',
      'ends_at',
      'state',
      'join_url',
    ]);
  }
}
