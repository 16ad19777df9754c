/*
query NextLecture {
  viewer {
    enrolledCourse(slug: "knots") {
      nextLecture {
        id
        title
        positionSeconds
      }
      lastWatchedLecture {
        __typename
      }
    }
  }
}
*/
-- $1: "the site"
-- $2: "the person"
-- $3: "knots"
select '{"viewer":{"enrolledCourse":' || (coalesce(
  (select '{"nextLecture":' || (coalesce(
    (select '{"id":' || ('"' || cl.lecture_id || '"') || ',"title":' || (to_json(cl.title)::text) || ',"positionSeconds":' || (coalesce((cl.position_seconds)::text, 'null')) || '}'
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
      where l.completed_at is null
      and (l.free_preview or greatest(coalesce(e.first_started_at, e.started_at) + cs.drip_days * interval '24 hours', cs.opens_at) <= now())
      order by cs.position, l.position
      limit 1) cl), 'null')) || ',"lastWatchedLecture":' || (coalesce(
    (select '{"__typename":"LastWatchedLecture"}'
    from playbacks w
    where w.site_id = $1::uuid
    and w.person_id = $2::uuid
    and w.course_id = e.course_id), 'null')) || '}'
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
and p.state = 'active'
