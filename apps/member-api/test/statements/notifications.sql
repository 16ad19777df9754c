/*
query Inbox {
  viewer {
    notifications(first: 20, isRead: false) {
      nodes {
        kind
        title
        body
        createdAt
        subject {
          __typename
        }
      }
    }
    unreadNotificationCount
  }
}
*/
-- $1: "the site"
-- $2: "the person"
-- $3: 20
-- $4: false
select '{"viewer":{"notifications":' ||
  (select '{"nodes":[' || (coalesce(string_agg(c0, ','), '')) || ']}'
  from
    (select '{"kind":' || ('"' || upper(n.kind) || '"') || ',"title":' || (chr(1) || json_build_array(n.kind || '.title', n.parameters, json_build_object('person', case when m.name is null then p.locale else m.locale end, 'site',
      (select language.locale
      from sites language
      where language.site_id = $1::uuid)), false)::text || chr(2)) || ',"body":' || (chr(1) || json_build_array(n.kind || '.body', n.parameters, json_build_object('person', case when m.name is null then p.locale else m.locale end, 'site',
      (select language.locale
      from sites language
      where language.site_id = $1::uuid)), true)::text || chr(2)) || ',"createdAt":' || (overlay('"0000-00-00T00:00:00.000Z"' placing left(to_json(n.created_at at time zone 'UTC')::text, -1) from 1)) || ',"subject":' || (coalesce(
      (select '{"__typename":"EnrolledCourse"}'
      from enrollments e
      join courses c on c.site_id = e.site_id
      and c.course_id = e.course_id
      where e.enrollment_id = n.subject_id
      and e.site_id = $1::uuid
      and e.person_id = $2::uuid
      and e.state in ('active', 'expired')
      and c.state not in ('draft', 'deleted')),
      (select '{"__typename":"EventRegistration"}'
      from event_registrations r
      join events t on t.event_id = r.event_id
      where r.registration_id = n.subject_id
      and r.site_id = $1::uuid
      and r.person_id = $2::uuid
      and t.site_id = r.site_id
      and t.state not in ('draft', 'deleted')),
      (select '{"__typename":"Post"}'
      from posts o
      where o.post_id = n.subject_id
      and o.site_id = $1::uuid
      and o.state = 'published'),
      (select '{"__typename":"PurchasedConsultingService"}'
      from consulting_purchases q
      join consulting_services v on v.consulting_service_id = q.consulting_service_id
      where q.purchase_id = n.subject_id
      and q.site_id = $1::uuid
      and q.person_id = $2::uuid
      and q.state in ('active', 'expired')
      and v.site_id = q.site_id
      and v.state not in ('draft', 'deleted')),
      (select '{"__typename":"PurchasedDigitalProduct"}'
      from digital_product_grants g
      join digital_products d on d.digital_product_id = g.digital_product_id
      where g.grant_id = n.subject_id
      and g.site_id = $1::uuid
      and g.person_id = $2::uuid
      and g.state in ('active', 'expired')
      and d.site_id = g.site_id
      and d.state not in ('draft', 'deleted')), 'null')) || '}' as c0, row_number() over (order by n.created_at desc, n.notification_id desc) as n, n.created_at as k0, n.notification_id as k1
    from notifications n
    where n.site_id = $1::uuid
    and n.person_id = $2::uuid
    and ($4::boolean is null or (n.read_at is not null) = $4::boolean)
    order by n.created_at desc, n.notification_id desc
    limit $3::int) page) || ',"unreadNotificationCount":' || ((coalesce(
  (select i.unread
  from inbox_counts i
  where i.site_id = $1::uuid
  and i.person_id = $2::uuid), 0))::text) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $2::uuid
and m.site_id = $1::uuid
and m.roles <> '{}'
and p.state = 'active'
