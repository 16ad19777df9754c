import { TOPICS } from './topics.policy.js';

/** Mails of one subscription within the hour that are sent at once. Later ones wait and arrive as one. */
export const MAILS_AT_ONCE = 3;
export const DIGEST_MINUTES = 60;

/** Topics whose notifications are excerpts of something at the site, so that a list of them loses nothing. */
export const DIGEST_TOPICS: readonly string[] = Object.entries(TOPICS).flatMap(([name, { digest }]) =>
  digest ? [name] : [],
);

export const isDigest = (topic: string): boolean => DIGEST_TOPICS.includes(topic);
