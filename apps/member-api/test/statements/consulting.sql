/*
query Consulting {
  viewer {
    consultingServices(first: 5) {
      nodes {
        name
        sessionsRemaining
        bookings(first: 3, states: [SCHEDULED]) {
          nodes {
            startsAt
            joinUrl
          }
        }
      }
    }
  }
}
*/
-- $1: 3
-- $2: "the site"
-- $3: "the person"
-- $4: ["SCHEDULED"]
-- $5: 5
select '{"viewer":{"consultingServices":' ||
  (select '{"nodes":[' || (coalesce(string_agg(c0, ','), '')) || ']}'
  from
    (select '{"name":' || (to_json(v.name)::text) || ',"sessionsRemaining":' || ((greatest(q.sessions_total - q.sessions_used, 0))::text) || ',"bookings":' ||
      (select '{"nodes":[' || (coalesce(string_agg(c0, ','), '')) || ']}'
      from
        (select '{"startsAt":' || (overlay('"0000-00-00T00:00:00.000Z"' placing left(to_json(b.starts_at at time zone 'UTC')::text, -1) from 1)) || ',"joinUrl":' || (coalesce(to_json(case when b.state = 'scheduled' then b.join_url end)::text, 'null')) || '}' as c0, row_number() over (order by b.starts_at desc, b.booking_id desc) as n, b.starts_at as k0, b.booking_id as k1
        from consulting_bookings b
        where b.site_id = $2::uuid
        and b.person_id = $3::uuid
        and b.purchase_id = q.purchase_id
        and ($4::text[] is null or upper(b.state) = any($4::text[]))
        order by b.starts_at desc, b.booking_id desc
        limit $1::int) page) || '}' as c0, row_number() over (order by q.purchased_at desc, q.purchase_id desc) as n, q.purchased_at as k0, q.purchase_id as k1
    from consulting_purchases q
    join consulting_services v on v.consulting_service_id = q.consulting_service_id
    where q.site_id = $2::uuid
    and q.person_id = $3::uuid
    and q.state in ('active', 'expired')
    and v.site_id = q.site_id
    and v.state not in ('draft', 'deleted')
    order by q.purchased_at desc, q.purchase_id desc
    limit $5::int) page) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $3::uuid
and m.site_id = $2::uuid
and m.roles <> '{}'
and p.state = 'active'
