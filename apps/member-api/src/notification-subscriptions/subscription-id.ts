/**
 * The id of a subscription in SQL: a UUID of version 8 (RFC 9562 §5.8) over site, person, topic and course, because
 * most subscriptions have no row. The person is part of the hash, so two members never share an id.
 */
export const subscriptionId = (of: string): string =>
  `overlay(overlay(encode(substr(sha256(convert_to(
     concat_ws('/', ${of}.site_id, ${of}.person_id, ${of}.topic, ${of}.entity_id), 'UTF8')), 1, 16), 'hex')
     placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid`;
