import type { Kind, Message, RowKind, StartMessage } from '#src/notifications/kinds.policy.js';

/**
 * Recipients: the members enrolled in a course, all members of the site, those who paid, those with a live subscription
 * to a membership plan, the members registered for an event, or those who were when it was canceled.
 */
type GroupAudience =
  | { readonly audience: 'course' | 'membership_plan' | 'event' | 'canceled_event'; readonly audience_id: string }
  | { readonly audience: 'site' | 'paying_members'; readonly audience_id: null };

/** One recipient: the member who has the registration, the booking, the grant of a product, or the purchase. */
interface RowAudience {
  readonly audience: 'registration' | 'booking' | 'product_grant' | 'consulting_purchase';
  readonly audience_id: string;
}

/**
 * Recipients, each with an own occasion: the members whose enrollments in a course are not announced, or those who got
 * a product or a service before it was published.
 */
interface RowsAudience {
  readonly audience: 'new_enrollments' | 'product_holders' | 'service_holders';
  readonly audience_id: string;
}

export type Audience = GroupAudience | RowAudience | RowsAudience;

/** The row of the audience gives the parameters, so the notification waits until all events have arrived. */
interface RowMessage<Name extends Kind = RowKind> {
  readonly kind: Name;
  readonly parameters: Readonly<Record<never, never>>;
}

export type FanOutKey = Pick<FanOut, 'site_id' | 'occasion'>;

/** A fan-out that has reached its last recipient, or has become too old. */
export interface EndedFanOut extends FanOutKey {
  /** People who got a notification, a mail or both. */
  readonly recipients_count: number;
}

export type FanOut = (
  | (GroupAudience & (Message & { readonly kind: Exclude<Kind, RowKind | StartMessage['kind']> }))
  | ({ readonly audience: 'event'; readonly audience_id: string } & StartMessage<'event_starting' | 'event_changed'>)
  | ({ readonly audience: 'booking'; readonly audience_id: string } & StartMessage<'consulting_starting'>)
  | (RowAudience & RowMessage)
  | (RowsAudience & RowMessage<'course_enrolled' | 'product_granted' | 'consulting_granted'>)
) & {
  readonly site_id: string;
  /** Deduplication key. */
  readonly occasion: string;
  /** Path below the site's base URL; null links to the object of the audience, if it has a page. */
  readonly path: string | null;
  /** Null for the recipient's own row of the audience: the enrollment or the registration. */
  readonly subject_id: string | null;
  /** When a lecture was published. Its fan-out has no recipients if the course was published later. */
  readonly published_at?: string | null;
  /** When the section of the lecture opens for the first members. Its fan-out is delivered then. Null: at once. */
  readonly opens_at?: string | null;
};
