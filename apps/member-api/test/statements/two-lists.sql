/*
query TwoLists {
  viewer {
    active: enrolledCourses(first: 5, states: [ACTIVE]) {
      nodes {
        name
      }
    }
    expired: enrolledCourses(first: 5, states: [EXPIRED]) {
      totalCount
    }
  }
}
*/
-- $1: 5
-- $2: "the site"
-- $3: "the person"
-- $4: ["ACTIVE"]
-- $5: ["EXPIRED"]
select '{"viewer":{"active":' ||
  (select '{"nodes":[' || (coalesce(string_agg(c0, ','), '')) || ']}'
  from
    (select '{"name":' || (to_json(c.name)::text) || '}' as c0, row_number() over (order by e.started_at desc, e.enrollment_id desc) as n, e.started_at as k0, e.enrollment_id as k1
    from enrollments e
    join courses c on c.site_id = e.site_id
    and c.course_id = e.course_id
    where e.site_id = $2::uuid
    and e.person_id = $3::uuid
    and e.state in ('active', 'expired')
    and c.state not in ('draft', 'deleted')
    and ($4::text[] is null or case when (e.state = 'active' and coalesce(e.expires_at > now(), true)) then 'ACTIVE' else 'EXPIRED' end = any($4::text[]))
    order by e.started_at desc, e.enrollment_id desc
    limit $1::int) page) || ',"expired":{"totalCount":' || (
  (select count(*)
  from enrollments e
  join courses c on c.site_id = e.site_id
  and c.course_id = e.course_id
  where e.site_id = $2::uuid
  and e.person_id = $3::uuid
  and e.state in ('active', 'expired')
  and c.state not in ('draft', 'deleted')
  and ($5::text[] is null or case when (e.state = 'active' and coalesce(e.expires_at > now(), true)) then 'ACTIVE' else 'EXPIRED' end = any($5::text[])))::text) || '}}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $3::uuid
and m.site_id = $2::uuid
and m.roles <> '{}'
and p.state = 'active'
