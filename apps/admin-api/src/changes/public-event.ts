import type { PublicEventType } from './public-event-types.js';

/** An event as operators receive it. */
export interface PublicEvent {
  /** Id of the internal event: the same at each repetition; `webhook-id` of its deliveries. */
  readonly id: string;
  readonly site_id: string;
  /** Such as `order.paid`. */
  readonly type: PublicEventType;
  /** Object that changed. */
  readonly object_id: string;
  readonly occurred_at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}
