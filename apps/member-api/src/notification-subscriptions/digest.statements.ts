import { DIGEST_MINUTES, DIGEST_TOPICS, MAILS_AT_ONCE } from './digest.policy.js';

/** SQL: mails of the topic of a row may be sent as one. */
export const isDigestTopic = (row: string): string =>
  `${row}.topic in (${DIGEST_TOPICS.map((topic) => `'${topic}'`).join(', ')})`;

const WINDOW = `interval '${DIGEST_MINUTES} minutes'`;

/** SQL: two rows of mails belong to one subscription. */
export const sameSubscription = (one: string, other: string): string =>
  `${one}.site_id = ${other}.site_id and ${one}.person_id = ${other}.person_id and ${one}.topic = ${other}.topic
   and ${one}.entity_id is not distinct from ${other}.entity_id`;

/**
 * SQL of the instant at which a new mail of the row is due. `place` counts the earlier rows of the same subscription in
 * the statement. A mail that waits joins those that wait already.
 */
export const mailDueAt = (row: string, place: string): string => `
  case when ${row}.digest then (
    select case when count(*) + ${place} < ${MAILS_AT_ONCE} then now()
                else coalesce(min(o.due_at) filter (where o.ended_at is null and o.digest_id is null and o.due_at > now()),
                              now() + ${WINDOW}) end
    from outbound_mails o where ${sameSubscription('o', row)} and o.created_at > now() - ${WINDOW})
  else now() end`;
