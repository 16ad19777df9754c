import type { TopicName } from '#src/notification-subscriptions/topics.policy.js';

interface KindRule {
  readonly topic: TopicName;
  /** Names of the parameters of its messages `<kind>.title` and `<kind>.body`. */
  readonly parameters: readonly string[];
  readonly description: string;
}

/** The kinds of notifications, each with the topic by which a member subscribes to it. */
export const KINDS = {
  course_enrolled: {
    topic: 'access',
    parameters: ['course'],
    description: 'The member has been enrolled in a course.',
  },
  membership_changed: {
    topic: 'membership',
    parameters: ['plan', 'change'],
    description: "The member's membership has changed, or was renewed.",
  },
  product_granted: {
    topic: 'access',
    parameters: ['product'],
    description: 'The member has access to a digital product.',
  },
  consulting_granted: {
    topic: 'access',
    parameters: ['service'],
    description: 'The member can book sessions of a consulting service.',
  },
  post_published: { topic: 'announcement', parameters: ['title', 'excerpt'], description: 'The site has news.' },
  announcement_sent: {
    topic: 'announcement',
    parameters: ['title', 'body'],
    description: 'The site announces something.',
  },
  course_post_published: {
    topic: 'course_update',
    parameters: ['title', 'excerpt'],
    description: 'A course has news.',
  },
  lecture_published: { topic: 'new_lecture', parameters: ['lecture'], description: 'A course has a new lecture.' },
  comment_replied: {
    topic: 'comment_reply',
    parameters: ['author', 'excerpt'],
    description: "A reply to the member's comment.",
  },
  event_starting: {
    topic: 'event_reminder',
    parameters: ['event', 'minutes', 'start'],
    description: 'An event is about to start.',
  },
  registration_confirmed: {
    topic: 'event_change',
    parameters: ['event'],
    description: 'The member has a place at an event, at once or from the waiting list.',
  },
  registration_waitlisted: {
    topic: 'event_change',
    parameters: ['event'],
    description: 'The member waits for a place at an event.',
  },
  registration_canceled: {
    topic: 'event_change',
    parameters: ['event'],
    description: "The member's registration for an event is canceled; the event takes place.",
  },
  event_changed: {
    topic: 'event_change',
    parameters: ['event', 'change', 'start'],
    description: 'An event that the member registered for has another time or place.',
  },
  event_canceled: {
    topic: 'event_change',
    parameters: ['event'],
    description: 'An event that the member registered for is canceled.',
  },
  consulting_starting: {
    topic: 'consulting_reminder',
    parameters: ['minutes', 'start'],
    description: 'A booked session is about to start.',
  },
  booking_confirmed: {
    topic: 'consulting_change',
    parameters: ['service', 'start'],
    description: 'The member has booked a session.',
  },
  booking_moved: {
    topic: 'consulting_change',
    parameters: ['service', 'start'],
    description: 'A booked session has another time.',
  },
  booking_canceled: {
    topic: 'consulting_change',
    parameters: ['service', 'start'],
    description: 'A booked session is canceled.',
  },
  offer_sent: {
    topic: 'marketing',
    parameters: ['title', 'body'],
    description: 'The site offers or recommends something.',
  },
} as const satisfies Record<string, KindRule>;

export type Kind = keyof typeof KINDS;

/** A notification without its text, which is formatted on reading, in the language of the member. */
export type Message = {
  [Name in Kind]: {
    readonly kind: Name;
    readonly parameters: Readonly<Record<(typeof KINDS)[Name]['parameters'][number], string | number | null>>;
  };
}[Kind];

/** Kinds whose parameters the member's row of the audience gives when the notification is delivered. */
export type RowKind = Extract<
  Kind,
  `registration_${string}` | `booking_${string}` | 'product_granted' | 'consulting_granted'
>;

/** A message without `start`, which the audience gives each recipient in their own time zone. */
export type StartMessage<Name extends Kind = 'event_starting' | 'event_changed' | 'consulting_starting'> = {
  [One in Name]: {
    readonly kind: One;
    readonly parameters: Omit<Extract<Message, { readonly kind: One }>['parameters'], 'start'>;
  };
}[Name];

export const topicOf = (kind: Kind): TopicName => KINDS[kind].topic;

/** Events older than this cause no notification, so a consumer that starts or catches up does not flood inboxes. */
export const NOTIFICATION_DAYS = 3;

const DAY_MS = 24 * 3_600_000;

/** True when an event is recent enough for a notification; false when it has not happened. */
export function isRecent(happenedAt: string | null, now: number): boolean {
  return happenedAt !== null && now - Date.parse(happenedAt) <= NOTIFICATION_DAYS * DAY_MS;
}

/** True when a new state publishes a draft. `before` is undefined for a first event, and after some rebuilds. */
export function isPublishedNow(before: { readonly state: string } | undefined, state: string): boolean {
  const isDraft = before === undefined || before.state === 'draft';
  return isDraft && state !== 'draft' && state !== 'deleted';
}

/** True when a member gets access by a new state; false for access that they had, or got before they were linked. */
export function isGrantedNow(
  before: { readonly state: string } | undefined,
  { state, since }: { readonly state: string; readonly since: string },
  now: number,
): boolean {
  return state === 'active' && before?.state !== 'active' && isRecent(since, now);
}
