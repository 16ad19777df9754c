import { ANY_PARENT } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { savepoint } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';

export interface OfSlot {
  readonly slot_id: string;
}

/** A booking that the caller names by its own id alone: `ANY_PARENT` is the slot in which it is. */
export interface OfAnySlot {
  readonly slot_id: string | typeof ANY_PARENT;
}

/**
 * Runs work that locks the slot of a booking first. When the booking was moved before the lock, the work runs again
 * with the slot in which it is now. A savepoint ends the locks and events of the first one: slots are locked in order.
 *
 * @param find returns the booking without a lock
 */
export async function atSlot<T>(
  tx: EntityManager,
  { slot_id: named }: OfAnySlot,
  find: () => Promise<OfSlot>,
  work: (tx: EntityManager, of: OfSlot) => Promise<T>,
): Promise<T> {
  if (named !== ANY_PARENT) return work(tx, { slot_id: named });
  let { slot_id } = await find();
  for (;;) {
    try {
      return await savepoint(tx, (inner) => work(inner, { slot_id }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      const moved = await find();
      if (moved.slot_id === slot_id) throw error;
      slot_id = moved.slot_id;
    }
  }
}
