import { mailDueAt } from '#src/notification-subscriptions/digest.statements.js';
import { preferencesOf, preferred } from '#src/notification-subscriptions/preferences.js';
import { hasLeft } from '#src/people/has-left.js';

const wants = (channel: 'in_app' | 'email'): string => `${preferred('active')} and ${preferred(channel)}`;

/**
 * Builds one statement that delivers notifications by the preferences of the recipients: it inserts into inboxes,
 * counts the unread ones, and queues mails, of which some wait for others. `recipients` yields `site_id, person_id,
 * occasion, kind, topic, entity_id, parameters, path, subject_id`. Each occasion is delivered once. Rows are written in
 * one order, so that concurrent statements cannot deadlock.
 */
export const deliver = (recipients: string): string => `
  with recipient as materialized (${recipients}),
  wanted as (
    select recipient.*, ${wants('in_app')} as in_app, ${wants('email')} as email, t.digest,
           row_number() over (
             partition by recipient.site_id, recipient.person_id, recipient.topic, recipient.entity_id
             order by recipient.occasion) - 1 as place
    from recipient ${preferencesOf('recipient')}
    where not ${hasLeft('recipient.site_id', 'recipient.person_id')}
    order by recipient.site_id, recipient.person_id, recipient.occasion),
  made as (
    insert into notifications (site_id, person_id, occasion, kind, parameters, path, subject_id, created_at)
    select site_id, person_id, occasion, kind, parameters, path, subject_id, now() from wanted where in_app
    on conflict (site_id, person_id, occasion) do nothing
    returning site_id, person_id),
  mailed as (
    insert into outbound_mails (site_id, person_id, occasion, kind, topic, entity_id, parameters, path, created_at, due_at)
    select site_id, person_id, occasion, kind, topic, entity_id, parameters, path, now(), ${mailDueAt('wanted', 'wanted.place')}
    from wanted where email
    on conflict (site_id, person_id, occasion) do nothing),
  counted as (
    insert into inbox_counts as old (site_id, person_id, unread)
    select site_id, person_id, count(*) from made group by site_id, person_id order by site_id, person_id
    on conflict (site_id, person_id) do update set unread = old.unread + excluded.unread)`;
