/** Topics of notifications, with their default settings. */
interface TopicRule {
  /** Mandatory: a member cannot turn it off. */
  readonly transactional: boolean;
  /** A member can set it per course. */
  readonly perCourse: boolean;
  readonly active: boolean;
  readonly inApp: boolean;
  readonly email: boolean;
  /** Several mails may be sent as one. */
  readonly digest: boolean;
}

const OPTIONAL = { transactional: false, perCourse: false, active: true, inApp: true, email: true, digest: false };
const TRANSACTIONAL = { ...OPTIONAL, transactional: true };

/** Topics in the order of the list. */
export const TOPICS = {
  access: { ...TRANSACTIONAL, email: false },
  membership: { ...TRANSACTIONAL },
  event_change: { ...TRANSACTIONAL },
  consulting_change: { ...TRANSACTIONAL },
  announcement: { ...OPTIONAL },
  course_update: { ...OPTIONAL, perCourse: true, digest: true },
  new_lecture: { ...OPTIONAL, perCourse: true, email: false, digest: true },
  comment_reply: { ...OPTIONAL, digest: true },
  event_reminder: { ...OPTIONAL },
  consulting_reminder: { ...OPTIONAL },
  // Advertising needs consent that was given before (Directive 2002/58/EC, article 13).
  marketing: { ...OPTIONAL, active: false },
} as const satisfies Record<string, TopicRule>;

export type TopicName = keyof typeof TOPICS;
