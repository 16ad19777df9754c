import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConsultingPurchase } from './consulting-purchase.entity.js';

/** SQL of `person_id`. */
export const PERSON = `(select s.person_id from students s
  where s.site_id = consulting_purchases.site_id and s.id = consulting_purchases.student_id)`;

@Injectable()
export class ConsultingPurchaseRepository {
  /** Returns true when a session of the locked purchase is booked. */
  async isBooked(tx: EntityManager, { site_id, id }: Pick<ConsultingPurchase, 'site_id' | 'id'>): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `select 1 from consulting_bookings where site_id = $1 and purchase_id = $2 and state = 'scheduled' limit 1`,
      [site_id, id],
    );
    return rows.length > 0;
  }

  /** Locks the purchases with a scheduled booking in the locked slot, in the order of their ids. */
  async lockBooked(tx: EntityManager, { site_id, id: slot_id }: OfSite & { readonly id: string }): Promise<void> {
    await tx.query(
      `select 1 from consulting_purchases where site_id = $1 and id in (
         select purchase_id from consulting_bookings where site_id = $1 and slot_id = $2 and state = 'scheduled')
       order by id for no key update`,
      [site_id, slot_id],
    );
  }

  /** Returns one session to each of these locked purchases. An id may occur several times. */
  returnSessions(tx: EntityManager, { site_id }: OfSite, ids: readonly string[]): Promise<ConsultingPurchase[]> {
    return tx.query<ConsultingPurchase[]>(
      `with consulting_purchases as (
         update consulting_purchases p
         set sessions_used = p.sessions_used - given.sessions, version = p.version + 1, updated_at = now()
         from (select id, count(*)::int as sessions from unnest($2::uuid[]) id group by id) given
         where p.site_id = $1 and p.id = given.id returning p.*
       )
       select *, ${PERSON} as person_id from consulting_purchases order by id`,
      [site_id, ids],
    );
  }

  /**
   * Increments the version of all purchases of a student, so consumers accept their next events. It is no edit:
   * `updated_at` and the entity tag stay.
   */
  touchAll(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<ConsultingPurchase[]> {
    return tx.query<ConsultingPurchase[]>(
      `with consulting_purchases as (
         update consulting_purchases p set version = p.version + 1, links = p.links + 1
         where p.site_id = $1 and p.student_id = $2 returning p.*
       )
       select *, ${PERSON} as person_id from consulting_purchases order by created_at, id`,
      [site_id, student_id],
    );
  }
}
