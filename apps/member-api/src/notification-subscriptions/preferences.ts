import { topicRows } from './topics.statements.js';

/** Settings of a member for a topic (`entity` null), or for a topic and a course. */
const chosen = (alias: string, of: string, entity: string): string =>
  `left join notification_subscriptions ${alias}
     on ${alias}.site_id = ${of}.site_id and ${alias}.person_id = ${of}.person_id and ${alias}.topic = ${of}.topic
    and ${alias}.entity_id ${entity}`;

/** Joins the preferences of the members of `of (site_id, person_id, topic, entity_id)`. */
export const preferencesOf = (of: string): string =>
  `join ${topicRows('t')} on t.topic = ${of}.topic
   ${chosen('for_course', of, `= ${of}.entity_id`)}
   ${chosen('for_all', of, 'is null')}`;

export const SETTINGS = ['active', 'in_app', 'email'] as const;

export type Setting = (typeof SETTINGS)[number];

/** The choice of the member in a row; null for a setting that the row has inherited and the member has not changed. */
export const chosenSetting = (row: string, setting: Setting): string =>
  `nullif(${row}.${setting}, ${row}.inherited_${setting})`;

/** A setting for the course takes precedence over one for the topic, and this over the topic's default. */
export const preferred = (setting: Setting): string =>
  `coalesce(${chosenSetting('for_course', setting)}, ${chosenSetting('for_all', setting)}, t.${setting})`;

/** The value of `preferred` without the own row of the subscription `of`: the topic or its default decides. */
export const inherited = (of: string, setting: Setting): string =>
  `coalesce(case when ${of}.entity_id is not null then ${chosenSetting('for_all', setting)} end, t.${setting})`;
