/*
query LastCourses {
  viewer {
    enrolledCourses(last: 5) {
      edges {
        cursor
        node {
          name
          completionRate
        }
      }
    }
  }
}
*/
-- $1: of a key
-- $2: of a key
-- $3: 5
-- $4: "the site"
-- $5: "the person"
select '{"viewer":{"enrolledCourses":' ||
  (select '{"edges":[' || (coalesce(string_agg(c0, ',' order by n desc), '')) || ']}'
  from
    (select '{"cursor":' || ('"' || translate(encode(int8send((extract(epoch from e.started_at) * 1000)::int8) || uuid_send(e.enrollment_id) || substr(sha256($2::bytea::bytea || sha256($1::bytea::bytea || int8send((extract(epoch from e.started_at) * 1000)::int8) || uuid_send(e.enrollment_id))), 1, 16), 'base64'), E'+/=\n', '-_') || '"') || ',"node":{"name":' || (to_json(c.name)::text) || ',"completionRate":' || ((e.completion_rate)::text) || '}}' as c0, row_number() over (order by e.started_at asc, e.enrollment_id asc) as n, e.started_at as k0, e.enrollment_id as k1
    from enrollments e
    join courses c on c.site_id = e.site_id
    and c.course_id = e.course_id
    where e.site_id = $4::uuid
    and e.person_id = $5::uuid
    and e.state in ('active', 'expired')
    and c.state not in ('draft', 'deleted')
    order by e.started_at asc, e.enrollment_id asc
    limit $3::int) page) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $5::uuid
and m.site_id = $4::uuid
and m.roles <> '{}'
and p.state = 'active'
