import type { PublicEventType } from './public-event-types.js';

/** A recorded public event. */
export interface Change {
  readonly id: string;
  readonly type: PublicEventType;
  readonly object_id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurred_at: Date;
  readonly created_at: Date;
  /** Place in the feed: microseconds. */
  readonly position: string;
}
