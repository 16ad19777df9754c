/*
query Node {
  node(id: "enr_0190a1b2-0000-7000-8000-000000000001") {
    id
    ... on EnrolledCourse {
      name
      courseId
    }
  }
}
*/
-- $1: "the site"
-- $2: "the person"
-- $3: "0190a1b2-0000-7000-8000-000000000001"
select '{"node":' || (coalesce(
  (select '{"id":' || ('"enr_' || e.enrollment_id || '"') || ',"name":' || (to_json(c.name)::text) || ',"courseId":' || ('"' || e.course_id || '"') || '}'
  from enrollments e
  join courses c on c.site_id = e.site_id
  and c.course_id = e.course_id
  where e.enrollment_id = $3::uuid
  and e.site_id = $1::uuid
  and e.person_id = $2::uuid
  and e.state in ('active', 'expired')
  and c.state not in ('draft', 'deleted')), 'null')) || '}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $2::uuid
and m.site_id = $1::uuid
and m.roles <> '{}'
and p.state = 'active'
