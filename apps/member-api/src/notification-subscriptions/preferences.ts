import { topicRows } from './topics.policy.js';

/** What a member set for a topic (`entity` null), or for a topic and a course. */
const chosen = (alias: string, of: string, entity: string): string =>
  `left join notification_subscriptions ${alias}
     on ${alias}.site_id = ${of}.site_id and ${alias}.person_id = ${of}.person_id and ${alias}.topic = ${of}.topic
    and ${alias}.entity_id ${entity}`;

/** Joins what the members of `of (site_id, person_id, topic, entity_id)` want to be told, and where. */
export const preferencesOf = (of: string): string =>
  `join ${topicRows('t')} on t.topic = ${of}.topic
   ${chosen('for_course', of, `= ${of}.entity_id`)}
   ${chosen('for_all', of, 'is null')}`;

export type Setting = 'active' | 'in_app' | 'email' | 'push';

/** What is set for the course counts before what is set for all, and this before the topic's default. */
export const preferred = (setting: Setting): string =>
  `coalesce(for_course.${setting}, for_all.${setting}, t.${setting})`;
