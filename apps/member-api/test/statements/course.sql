/*
query Course {
  viewer {
    enrolledCourse(slug: "knots") {
      id
      name
      descriptionHtml
      expireDate
      hasLifetimeAccess
    }
  }
}
*/
-- $1: "the site"
-- $2: "the person"
-- $3: "knots"
select case when octet_length(s.data) <= 4194304 then s.data end as data
from
  (select '{"viewer":{"enrolledCourse":' || (coalesce(
    (select '{"id":' || ('"enr_' || e.enrollment_id || '"') || ',"name":' || (to_json(c.name)::text) || ',"descriptionHtml":' || (coalesce(to_json(
      (select case when count(*) = max(t.pieces)
      and count(distinct (t.epoch, t.version)) = 1 then nullif(string_agg(t.html, '' order by t.piece), '') end
      from texts t
      where t.site_id = $1::uuid
      and t.owner_id = e.course_id))::text, 'null')) || ',"expireDate":' || (coalesce(overlay('"0000-00-00T00:00:00.000Z"' placing left(to_json(e.expires_at at time zone 'UTC')::text, -1) from 1), 'null')) || ',"hasLifetimeAccess":' || ((e.expires_at is null)::text) || '}'
    from enrollments e
    join courses c on c.site_id = e.site_id
    and c.course_id = e.course_id
    where c.slug = $3::text
    and e.site_id = $1::uuid
    and e.person_id = $2::uuid
    and e.state in ('active', 'expired')
    and c.state not in ('draft', 'deleted')
    order by e.started_at desc, e.enrollment_id desc
    limit 1), 'null')) || '}}' as data
  from memberships m
  join people p on p.person_id = m.person_id
  where m.person_id = $2::uuid
  and m.site_id = $1::uuid
  and m.roles <> '{}'
  and p.state = 'active' offset 0) s
