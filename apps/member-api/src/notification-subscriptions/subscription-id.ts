/**
 * The id of a subscription in SQL: a UUID of version 8 (RFC 9562 §5.8) over site, person, topic and course, because most
 * subscriptions are rows nowhere. So nobody's is anybody else's.
 */
export const subscriptionId = (of: string): string =>
  `overlay(overlay(encode(substr(sha256(convert_to(
     concat_ws('/', ${of}.site_id, ${of}.person_id, ${of}.topic, ${of}.entity_id), 'UTF8')), 1, 16), 'hex')
     PLACING '8' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid`;
