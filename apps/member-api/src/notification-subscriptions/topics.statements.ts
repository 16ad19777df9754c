import { TOPICS } from './topics.policy.js';

const rows = Object.entries(TOPICS).map(([name, topic], place) => {
  const { transactional, perCourse, active, inApp, email, digest } = topic;
  return `('${name}', ${place}, ${transactional}, ${perCourse}, ${active}, ${inApp}, ${email}, ${digest})`;
});

/** The topics as SQL rows: `topic, place, transactional, per_course, active, in_app, email, digest`. */
export const topicRows = (alias: string): string =>
  `(values ${rows.join(', ')})
   as ${alias} (topic, place, transactional, per_course, active, in_app, email, digest)`;
