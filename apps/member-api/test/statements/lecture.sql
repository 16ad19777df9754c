/*
query Lecture {
  viewer {
    enrolledCourse(slug: "knots") {
      lecture(id: "lec_0190a1b2-0000-7000-8000-000000000001") {
        title
        contentHtml
        playerUrl
        attachments {
          __typename
        }
      }
    }
  }
}
*/
-- $1: "the site"
-- $2: "the person"
-- $3: "00000000-0000-0000-0000-000000000000"
-- $4: "knots"
select case when octet_length(s.data) <= 4194304 then s.data end as data
from
  (select '{"viewer":{"enrolledCourse":' || (coalesce(
    (select '{"lecture":' || (coalesce(
      (select '{"title":' || (to_json(cl.title)::text) || ',"contentHtml":' || (coalesce(to_json(case when (cl.free_preview or (cl.is_open and (e.state = 'active' and coalesce(e.expires_at > now(), true)))) then
        (select case when count(*) = max(t.pieces)
        and count(distinct (t.epoch, t.version)) = 1 then nullif(string_agg(t.html, '' order by t.piece), '') end
        from texts t
        where t.site_id = $1::uuid
        and t.owner_id = cl.lecture_id) end)::text, 'null')) || ',"playerUrl":' || (coalesce(to_json(case when (cl.free_preview or (cl.is_open and (e.state = 'active' and coalesce(e.expires_at > now(), true)))) then
        (select v.player
        from
          (select a.place, case when a.value->>'url' ~ '^https://(www[.]|m[.])?youtube[.]com/watch[?]([^#]*&)?v=([A-Za-z0-9_-]{11})([&#].*)?$' then regexp_replace(a.value->>'url', '^https://(www[.]|m[.])?youtube[.]com/watch[?]([^#]*&)?v=([A-Za-z0-9_-]{11})([&#].*)?$', 'https://www.youtube-nocookie.com/embed/\3') when a.value->>'url' ~ '^https://(www[.]|m[.])?(youtu[.]be|youtube(-nocookie)?[.]com/(embed|live|shorts))/([A-Za-z0-9_-]{11})([?&#/].*)?$' then regexp_replace(a.value->>'url', '^https://(www[.]|m[.])?(youtu[.]be|youtube(-nocookie)?[.]com/(embed|live|shorts))/([A-Za-z0-9_-]{11})([?&#/].*)?$', 'https://www.youtube-nocookie.com/embed/\5') when a.value->>'url' ~ '^https://(www[.])?(vimeo[.]com|player[.]vimeo[.]com/video)/([0-9]{1,12})([?&#/].*)?$' then regexp_replace(a.value->>'url', '^https://(www[.])?(vimeo[.]com|player[.]vimeo[.]com/video)/([0-9]{1,12})([?&#/].*)?$', 'https://player.vimeo.com/video/\3') when a.value->>'url' ~ '^https://(www[.])?loom[.]com/(share|embed)/([a-f0-9]{32})([?&#/].*)?$' then regexp_replace(a.value->>'url', '^https://(www[.])?loom[.]com/(share|embed)/([a-f0-9]{32})([?&#/].*)?$', 'https://www.loom.com/embed/\3') when a.value->>'url' ~ '^https://([a-z0-9-]+[.]wistia[.]com/medias|fast[.]wistia[.]net/embed/iframe)/([a-z0-9]{10})([?&#/].*)?$' then regexp_replace(a.value->>'url', '^https://([a-z0-9-]+[.]wistia[.]com/medias|fast[.]wistia[.]net/embed/iframe)/([a-z0-9]{10})([?&#/].*)?$', 'https://fast.wistia.net/embed/iframe/\2') end as player
          from lecture_attachments la
          cross join jsonb_array_elements(la.attachments) with ordinality as a (value, place)
          where la.site_id = $1::uuid
          and la.lecture_id = cl.lecture_id
          and a.value->>'kind' = 'video') v
        where v.player is not null
        order by v.place
        limit 1) end)::text, 'null')) || ',"attachments":[' || (coalesce(
        (select string_agg('{"__typename":"LectureAttachment"}', ',' order by a.place)
        from lecture_attachments la
        cross join jsonb_array_elements(la.attachments) with ordinality as a (value, place)
        where la.site_id = $1::uuid
        and la.lecture_id = cl.lecture_id), '')) || ']}'
      from
        (select l.*
        from
          (select *
          from curricula cu, jsonb_to_recordset(cu.sections) as cs (section_id uuid, position int, title text, drip_days int, opens_at timestamptz, lectures jsonb)
          where cu.site_id = e.site_id
          and cu.course_id = e.course_id) cs
        cross join lateral
          (select l.*, p.position_seconds, p.completed_at, greatest(coalesce(e.first_started_at, e.started_at) + cs.drip_days * interval '24 hours', cs.opens_at) <= now() as is_open
          from jsonb_to_recordset(cs.lectures) as l (lecture_id uuid, position int, slug text, title text, lecture_type text, free_preview bool, duration_seconds int)
          left join lecture_progress p on p.site_id = $1::uuid
          and p.person_id = $2::uuid
          and p.course_id = e.course_id
          and p.lecture_id = l.lecture_id) l
        where l.lecture_id = $3::uuid
        limit 1) cl), 'null')) || '}'
    from enrollments e
    join courses c on c.site_id = e.site_id
    and c.course_id = e.course_id
    where c.slug = $4::text
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
