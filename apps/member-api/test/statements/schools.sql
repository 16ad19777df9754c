/*
query Schools {
  viewer {
    schools {
      id
      name
      slug
      roles
      isCurrent
    }
  }
}
*/
-- $1: "the site"
-- $2: "the person"
select '{"viewer":{"schools":[' || (coalesce(
  (select string_agg('{"id":' || (to_json(coalesce(s.org_id, s.site_id::text))::text) || ',"name":' || (to_json(s.name)::text) || ',"slug":' || (to_json(s.slug)::text) || ',"roles":' || (array_to_json(sm.roles)::text) || ',"isCurrent":' || ((s.site_id = $1::uuid)::text) || '}', ',' order by s.name, s.site_id)
  from memberships sm
  join sites s on s.site_id = sm.site_id
  where sm.person_id = $2::uuid
  and sm.roles <> '{}'
  and s.state = 'active'), '')) || ']}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $2::uuid
and m.site_id = $1::uuid
and m.roles <> '{}'
and p.state = 'active'
