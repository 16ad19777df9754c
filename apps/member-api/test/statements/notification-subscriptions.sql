/*
query Topics {
  viewer {
    notificationSubscriptions(first: 20) {
      nodes {
        topic
        entityType
        active
      }
    }
  }
}
*/
-- $1: 20
-- $2: "the site"
-- $3: "the person"
select '{"viewer":{"notificationSubscriptions":' ||
  (select '{"nodes":[' || (coalesce(string_agg(c0, ','), '')) || ']}'
  from
    (select '{"topic":' || ('"' || upper(s.topic) || '"') || ',"entityType":' || (case when s.entity_id is null then 'null' else '"COURSE"' end) || ',"active":' || ((s.active)::text) || '}' as c0, row_number() over (order by s.listed_at desc, s.id desc) as n, s.listed_at as k0, s.id as k1
    from
      (select w.topic, w.entity_id, w.listed_at, t.transactional, coalesce(nullif(for_course.active, for_course.inherited_active), nullif(for_all.active, for_all.inherited_active), t.active) as active, coalesce(nullif(for_course.in_app, for_course.inherited_in_app), nullif(for_all.in_app, for_all.inherited_in_app), t.in_app) as in_app, coalesce(nullif(for_course.email, for_course.inherited_email), nullif(for_all.email, for_all.inherited_email), t.email) as email, case when w.entity_id is null then for_all.updated_at else for_course.updated_at end as updated_at, overlay(overlay(encode(substr(sha256(convert_to( concat_ws('/', w.site_id, w.person_id, w.topic, w.entity_id), 'UTF8')), 1, 16), 'hex') placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid as id
      from
        (select $2::uuid as site_id, $3::uuid as person_id, topic, null::uuid as entity_id, timestamptz '9000-01-01 00:00:00Z' - place * interval '1 second' as listed_at
        from (values ('access', 0, true, false, true, true, false, false), ('membership', 1, true, false, true, true, true, false), ('event_change', 2, true, false, true, true, true, false), ('consulting_change', 3, true, false, true, true, true, false), ('announcement', 4, false, false, true, true, true, false), ('course_update', 5, false, true, true, true, true, true), ('new_lecture', 6, false, true, true, true, false, true), ('comment_reply', 7, false, false, true, true, true, true), ('event_reminder', 8, false, false, true, true, true, false), ('consulting_reminder', 9, false, false, true, true, true, false), ('marketing', 10, false, false, false, true, true, false)) as whole (topic, place, transactional, per_course, active, in_app, email, digest)
        union all
        select $2::uuid, $3::uuid, each.topic, taken.course_id, taken.started_at
        from
          (select e.course_id, max(e.started_at) as started_at
          from enrollments e
          join courses c on c.site_id = e.site_id
          and c.course_id = e.course_id
          where e.site_id = $2::uuid
          and e.person_id = $3::uuid
          and (e.state = 'active' and coalesce(e.expires_at > now(), true))
          and c.state not in ('draft', 'deleted') group by e.course_id) taken
        cross join (values ('access', 0, true, false, true, true, false, false), ('membership', 1, true, false, true, true, true, false), ('event_change', 2, true, false, true, true, true, false), ('consulting_change', 3, true, false, true, true, true, false), ('announcement', 4, false, false, true, true, true, false), ('course_update', 5, false, true, true, true, true, true), ('new_lecture', 6, false, true, true, true, false, true), ('comment_reply', 7, false, false, true, true, true, true), ('event_reminder', 8, false, false, true, true, true, false), ('consulting_reminder', 9, false, false, true, true, true, false), ('marketing', 10, false, false, false, true, true, false)) as each (topic, place, transactional, per_course, active, in_app, email, digest)
        where each.per_course ) w
      join (values ('access', 0, true, false, true, true, false, false), ('membership', 1, true, false, true, true, true, false), ('event_change', 2, true, false, true, true, true, false), ('consulting_change', 3, true, false, true, true, true, false), ('announcement', 4, false, false, true, true, true, false), ('course_update', 5, false, true, true, true, true, true), ('new_lecture', 6, false, true, true, true, false, true), ('comment_reply', 7, false, false, true, true, true, true), ('event_reminder', 8, false, false, true, true, true, false), ('consulting_reminder', 9, false, false, true, true, true, false), ('marketing', 10, false, false, false, true, true, false)) as t (topic, place, transactional, per_course, active, in_app, email, digest) on t.topic = w.topic
      left join notification_subscriptions for_course on for_course.site_id = w.site_id
      and for_course.person_id = w.person_id
      and for_course.topic = w.topic
      and for_course.entity_id = w.entity_id
      left join notification_subscriptions for_all on for_all.site_id = w.site_id
      and for_all.person_id = w.person_id
      and for_all.topic = w.topic
      and for_all.entity_id is null) s
    where true
    order by s.listed_at desc, s.id desc
    limit $1::int) page) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $3::uuid
and m.site_id = $2::uuid
and m.roles <> '{}'
and p.state = 'active'
