/** What a member can be told about, and how it is before they choose. */
interface TopicRule {
  readonly description: string;
  /** Said to whoever it concerns: a member cannot turn it off. */
  readonly transactional: boolean;
  /** Can be set for each course apart. */
  readonly perCourse: boolean;
  readonly active: boolean;
  readonly inApp: boolean;
  readonly email: boolean;
}

const OPTIONAL = { transactional: false, perCourse: false, active: true, inApp: true, email: true };
const TRANSACTIONAL = { ...OPTIONAL, transactional: true };

/** In the order in which they are listed. */
export const TOPICS = {
  access: { ...TRANSACTIONAL, email: false, description: 'What you were given access to.' },
  membership: { ...TRANSACTIONAL, description: 'The state of your membership.' },
  announcement: { ...OPTIONAL, description: 'News and announcements of the site.' },
  course_update: { ...OPTIONAL, perCourse: true, description: 'News of your courses.' },
  new_lecture: { ...OPTIONAL, perCourse: true, email: false, description: 'New lectures in your courses.' },
  comment_reply: { ...OPTIONAL, description: 'Replies to your comments.' },
  event_reminder: { ...OPTIONAL, description: 'Reminders of events that you are registered for.' },
  consulting_reminder: { ...OPTIONAL, description: 'Reminders of sessions that you have booked.' },
  // Advertising needs consent that was given before (Directive 2002/58/EC, article 13).
  marketing: { ...OPTIONAL, active: false, description: 'Offers and recommendations.' },
} as const satisfies Record<string, TopicRule>;

export type TopicName = keyof typeof TOPICS;

const row = ([name, topic]: [string, TopicRule], place: number): string => {
  const { transactional, perCourse, active, inApp, email, description } = topic;
  return `('${name}', ${place}, ${transactional}, ${perCourse}, ${active}, ${inApp}, ${email}, false, '${description}')`;
};

/** The same as rows: `topic, place, transactional, per_course, active, in_app, email, push, description`. */
export const topicRows = (alias: string): string =>
  `(values ${Object.entries(TOPICS).map(row).join(', ')})
   as ${alias} (topic, place, transactional, per_course, active, in_app, email, push, description)`;
