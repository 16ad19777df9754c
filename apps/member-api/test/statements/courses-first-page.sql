/*
query Courses {
  viewer {
    enrolledCourses(first: 20, states: [ACTIVE]) {
      nodes {
        id
        name
        pageUrl
        state
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
}
*/
-- $1: "the site"
-- $2: 20
-- $3: of a key
-- $4: of a key
-- $5: "the person"
-- $6: ["ACTIVE"]
select '{"viewer":{"enrolledCourses":' ||
  (select '{"nodes":[' || (coalesce(string_agg(c0, ',') filter (where n <= $2::int), '')) || '],"pageInfo":{"hasNextPage":' || ((count(*) > $2::int)::text) || ',"endCursor":' || (coalesce('"' || translate(encode(int8send((extract(epoch from (array_agg(k0 order by n))[least(count(*), $2::int)]) * 1000)::int8) || uuid_send((array_agg(k1 order by n))[least(count(*), $2::int)]) || substr(sha256($4::bytea::bytea || sha256($3::bytea::bytea || int8send((extract(epoch from (array_agg(k0 order by n))[least(count(*), $2::int)]) * 1000)::int8) || uuid_send((array_agg(k1 order by n))[least(count(*), $2::int)]))), 1, 16), 'base64'), E'+/=\n', '-_') || '"', 'null')) || '},"totalCount":' || (
    (select count(*)
    from enrollments e
    join courses c on c.site_id = e.site_id
    and c.course_id = e.course_id
    where e.site_id = $1::uuid
    and e.person_id = $5::uuid
    and e.state in ('active', 'expired')
    and c.state not in ('draft', 'deleted')
    and ($6::text[] is null or case when (e.state = 'active' and coalesce(e.expires_at > now(), true)) then 'ACTIVE' else 'EXPIRED' end = any($6::text[])))::text) || '}'
  from
    (select '{"id":' || ('"enr_' || e.enrollment_id || '"') || ',"name":' || (to_json(c.name)::text) || ',"pageUrl":' || (coalesce(to_json(
      (select replace(replace(w.course_url, '{slug}', c.slug), '{id}', c.course_id::text)
      from sites w
      where w.site_id = $1::uuid))::text, 'null')) || ',"state":' || ('"' || case when (e.state = 'active' and coalesce(e.expires_at > now(), true)) then 'ACTIVE' else 'EXPIRED' end || '"') || '}' as c0, row_number() over (order by e.started_at desc, e.enrollment_id desc) as n, e.started_at as k0, e.enrollment_id as k1
    from enrollments e
    join courses c on c.site_id = e.site_id
    and c.course_id = e.course_id
    where e.site_id = $1::uuid
    and e.person_id = $5::uuid
    and e.state in ('active', 'expired')
    and c.state not in ('draft', 'deleted')
    and ($6::text[] is null or case when (e.state = 'active' and coalesce(e.expires_at > now(), true)) then 'ACTIVE' else 'EXPIRED' end = any($6::text[]))
    order by e.started_at desc, e.enrollment_id desc
    limit $2::int + 1) page) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $5::uuid
and m.site_id = $1::uuid
and m.roles <> '{}'
and p.state = 'active'
