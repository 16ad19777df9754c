import { preferencesOf, preferred } from '#src/notification-subscriptions/preferences.js';

const wants = (channel: 'in_app' | 'email'): string => `${preferred('active')} AND ${preferred(channel)}`;

/**
 * One statement that tells recipients what they want to be told, where they want to be told it: into inboxes, which are
 * counted, and as mails to be sent. `recipients` yields `site_id, person_id, occasion, kind, topic, entity_id, title, body,
 * path, subject_id`. Each occasion is told once. All rows are written in one order, so that two statements at once wait for
 * each other and never each for the other.
 */
export const deliver = (recipients: string): string => `
  WITH recipient AS MATERIALIZED (${recipients}),
  told AS (
    SELECT recipient.*, ${wants('in_app')} AS in_app, ${wants('email')} AS email
    FROM recipient ${preferencesOf('recipient')}
    ORDER BY recipient.site_id, recipient.person_id, recipient.occasion),
  made AS (
    INSERT INTO notification (site_id, person_id, occasion, kind, title, body, path, subject_id, created_at)
    SELECT site_id, person_id, occasion, kind, title, body, path, subject_id, now() FROM told WHERE in_app
    ON CONFLICT (site_id, person_id, occasion) DO NOTHING
    RETURNING site_id, person_id),
  mailed AS (
    INSERT INTO outbound_mail (site_id, person_id, occasion, topic, entity_id, title, body, path, created_at, due_at)
    SELECT site_id, person_id, occasion, topic, entity_id, title, body, path, now(), now() FROM told WHERE email
    ON CONFLICT (site_id, person_id, occasion) DO NOTHING),
  counted AS (
    INSERT INTO inbox_count AS old (site_id, person_id, unread)
    SELECT site_id, person_id, count(*) FROM made GROUP BY site_id, person_id ORDER BY site_id, person_id
    ON CONFLICT (site_id, person_id) DO UPDATE SET unread = old.unread + excluded.unread)`;
