import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Booking } from './booking.entity.js';

type Place = OfSite & { readonly id: string };

/** SQL of the computed properties of a row. */
export const BOOKING_PARTS = {
  person_id: `(select s.person_id from students s
    where s.site_id = consulting_bookings.site_id and s.id = consulting_bookings.student_id)`,
  join_url: `(select s.join_url from consulting_slots s
    where s.site_id = consulting_bookings.site_id and s.id = consulting_bookings.slot_id)`,
} as const;

/** Builds an update that returns bookings with their computed properties. */
const changed = (set: string, where: string): string => `
  with consulting_bookings as (update consulting_bookings b set ${set} where b.site_id = $1 and ${where} returning b.*)
  select *, ${BOOKING_PARTS.person_id} as person_id, ${BOOKING_PARTS.join_url} as join_url
  from consulting_bookings order by created_at, id`;

@Injectable()
export class BookingRepository {
  /** Returns true when the purchase has a place in the locked slot. */
  async has(tx: EntityManager, { site_id, id: slot_id }: Place, purchase_id: string): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `select 1 from consulting_bookings
       where site_id = $1 and slot_id = $2 and purchase_id = $3 and state <> 'canceled' limit 1`,
      [site_id, slot_id, purchase_id],
    );
    return rows.length > 0;
  }

  /** Returns the purchase of a booking in the locked slot. Callers lock it before the booking. */
  async purchaseOf(tx: EntityManager, { site_id, id: slot_id }: Place, id: string): Promise<string | undefined> {
    const [row] = await tx.query<{ purchase_id: string }[]>(
      'select purchase_id from consulting_bookings where site_id = $1 and slot_id = $2 and id = $3',
      [site_id, slot_id, id],
    );
    return row?.purchase_id;
  }

  /** Cancels the scheduled bookings of a locked slot and marks their sessions as returned. */
  cancelAll(tx: EntityManager, { site_id, id: slot_id }: Place): Promise<Booking[]> {
    return tx.query<Booking[]>(
      changed(
        `state = 'canceled', canceled_at = now(), session_returned = true, version = b.version + 1, updated_at = now()`,
        `b.slot_id = $2 and b.state = 'scheduled'`,
      ),
      [site_id, slot_id],
    );
  }

  /** Copies the times of a locked slot to its scheduled bookings. `join_url` is read from the slot. */
  follow(
    tx: EntityManager,
    { site_id, id: slot_id, starts_at, ends_at }: Place & Pick<Booking, 'starts_at' | 'ends_at'>,
  ): Promise<Booking[]> {
    return tx.query<Booking[]>(
      changed(
        `starts_at = $3, ends_at = $4, version = b.version + 1, updated_at = now()`,
        `b.slot_id = $2 and b.state = 'scheduled'`,
      ),
      [site_id, slot_id, starts_at, ends_at],
    );
  }

  /**
   * Increments the version of all bookings of a student, so consumers accept their next events. It is no edit:
   * `updated_at` and the entity tag stay.
   */
  touchAll(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<Booking[]> {
    const set = 'version = b.version + 1, links = b.links + 1';
    return tx.query<Booking[]>(changed(set, 'b.student_id = $2'), [site_id, student_id]);
  }
}
