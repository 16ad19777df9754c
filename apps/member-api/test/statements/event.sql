/*
query Event {
  viewer {
    eventRegistration(slug: "regatta") {
      name
      state
      startsAt
      joinUrl
      calendarUrl
    }
  }
}
*/
-- $1: "the origin of the site"
-- $2: 600
-- $3: of a key
-- $4: of a key
-- $5: "the site"
-- $6: "the person"
-- $7: "regatta"
select '{"viewer":{"eventRegistration":' || (coalesce(
  (select '{"name":' || (to_json(t.name)::text) || ',"state":' || ('"' || upper(case when t.state = 'canceled' then 'canceled' else r.state end) || '"') || ',"startsAt":' || (overlay('"0000-00-00T00:00:00.000Z"' placing left(to_json(t.starts_at at time zone 'UTC')::text, -1) from 1)) || ',"joinUrl":' || (coalesce(to_json(case when case when t.state = 'canceled' then 'canceled' else r.state end = 'registered' then t.join_url end)::text, 'null')) || ',"calendarUrl":' || (to_json($1::text || '/member/calendars?token=' || translate(encode(int8send($2::bigint) || uuid_send(r.registration_id) || uuid_send(r.event_id) || uuid_send(r.event_id) || substr(sha256($3::bytea::bytea || sha256($4::bytea::bytea || int8send($2::bigint) || uuid_send(r.registration_id) || uuid_send(r.event_id) || uuid_send(r.event_id))), 1, 16), 'base64'), E'+/=\n', '-_'))::text) || '}'
  from event_registrations r
  join events t on t.event_id = r.event_id
  where t.slug = $7::text
  and r.site_id = $5::uuid
  and r.person_id = $6::uuid
  and t.site_id = r.site_id
  and t.state not in ('draft', 'deleted')
  order by r.registered_at desc, r.registration_id desc
  limit 1), 'null')) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $6::uuid
and m.site_id = $5::uuid
and m.roles <> '{}'
and p.state = 'active'
