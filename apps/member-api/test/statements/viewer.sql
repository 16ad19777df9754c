/*
query Viewer {
  viewer {
    id
    name
    email
    locale
    avatarUrl
    unreadNotificationCount
  }
}
*/
-- $1: "the member"
-- $2: "the site"
-- $3: "the person"
select '{"viewer":{"id":' || ('"' || $1::uuid || '"') || ',"name":' || (to_json(coalesce(m.name, p.name))::text) || ',"email":' || (to_json(p.email)::text) || ',"locale":' || (coalesce(to_json(case when m.name is null then p.locale else m.locale end)::text, 'null')) || ',"avatarUrl":' || (coalesce(to_json(case when m.name is null then p.picture else m.picture end)::text, 'null')) || ',"unreadNotificationCount":' || ((coalesce(
  (select i.unread
  from inbox_counts i
  where i.site_id = $2::uuid
  and i.person_id = $3::uuid), 0))::text) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $3::uuid
and m.site_id = $2::uuid
and m.roles <> '{}'
and p.state = 'active'
