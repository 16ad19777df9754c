const GRANT = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'source', ${alias}.source, 'source_id', ${alias}.source_id,
     'plan_id', ${alias}.plan_id, 'starts_at', ${alias}.starts_at, 'ends_at', ${alias}.ends_at, 'revoked_at', ${alias}.revoked_at)`;

/** SQL of the members that an enrollment has from other tables, by property and table name. */
export function readWith(table: string): Readonly<Record<'person_id' | 'grants' | 'last_watched', string>> {
  return {
    last_watched: `(select json_build_object('lecture_id', p.lecture_id, 'lecture_title', p.lecture_title,
                      'position_seconds', p.position_seconds, 'watched_at', p.watched_at)
                    from progress p where p.site_id = ${table}.site_id and p.student_id = ${table}.student_id
                      and p.course_id = ${table}.course_id
                    order by p.watched_at desc, p.id desc limit 1)`,
    person_id: `(select s.person_id from students s where s.site_id = ${table}.site_id and s.id = ${table}.student_id)`,
    grants: `(select coalesce(json_agg(${GRANT('g')} order by g.starts_at, g.id), '[]') from access_grants g
              where g.site_id = ${table}.site_id and g.enrollment_id = ${table}.id)`,
  };
}

/**
 * SQL of filters that are no column. `$1` is the site. For a plan with many enrollments PostgreSQL reads those of the
 * course; for a plan with few it begins with the grants.
 */
export const ENROLLMENT_CONDITIONS = {
  plan_id: `course_id = (select p.course_id from course_plans p where p.site_id = $1 and p.id = ?)
    and exists (
      select from access_grants g where g.site_id = $1 and g.enrollment_id = enrollments.id and g.plan_id = ?)`,
};

export function row(table: string, grants = readWith(table).grants): string {
  const { person_id, last_watched } = readWith(table);
  return `${table}.*, ${person_id} as person_id, ${last_watched} as last_watched, ${grants} as grants`;
}

/**
 * The limit keeps the look-up of each pair apart. Without it a plan may compute the members of all enrollments of the
 * site before it joins them. A plan for the values would expect fewer pairs than one for all values, so PostgreSQL
 * would plan each execution. It does not see the values of subqueries.
 */
const PLACES = `with course as materialized (
      select id, state from courses where site_id = $1 and id = any((select $3::uuid[])::uuid[]) order by id
    )
    select of.student_id as of_student, of.course_id as of_course, course.state as course_state, known.*
    from unnest((select $2::uuid[]), (select $3::uuid[])) as of (student_id, course_id)
    left join course on course.id = of.course_id
    left join lateral (
      select ${row('e')} from enrollments e
      where e.site_id = $1 and e.student_id = of.student_id and e.course_id = of.course_id
      limit 1
    ) known on true`;
export const FIND = { name: 'enrollments_find', text: PLACES };
/** Locks courses in the order of their ids, so that two requests with the same courses do not deadlock. */
export const LOCK = { name: 'enrollments_lock', text: PLACES.replace('order by id', 'order by id for no key update') };

/**
 * Adds up the changes of each counter, because one statement can update a row only once. Requests that take the same
 * external ids wait for each other in their order.
 */
export const WRITE = {
  name: 'enrollments_write',
  text: `with given as (
      select * from jsonb_to_recordset($2::jsonb) as g (id uuid, student_id uuid, course_id uuid, source text,
        external_id text, metadata jsonb, state text, started_at timestamptz, expires_at timestamptz,
        changes_at timestamptz, live int)
    ), written as (
      insert into enrollments (site_id, id, student_id, course_id, source, external_id, metadata, state, started_at,
        expires_at, changes_at)
      select $1, id, student_id, course_id, source, external_id, metadata, state, started_at, expires_at, changes_at
      from given order by external_id
      on conflict (site_id, id) do update
        set source = excluded.source, external_id = excluded.external_id, metadata = excluded.metadata,
            state = excluded.state, started_at = excluded.started_at, expires_at = excluded.expires_at,
            changes_at = excluded.changes_at,
            version = enrollments.version + 1, revision = enrollments.revision + 1, updated_at = now()
      returning *
    ), granted as (
      insert into access_grants (site_id, id, enrollment_id, source, source_id, plan_id, starts_at, ends_at, revoked_at)
      select $1, g.id, g.enrollment_id, g.source, g.source_id, g.plan_id, g.starts_at, g.ends_at, g.revoked_at
      from jsonb_to_recordset($3::jsonb) as g (id uuid, enrollment_id uuid, source text, source_id uuid, plan_id uuid,
        starts_at timestamptz, ends_at timestamptz, revoked_at timestamptz)
      on conflict (site_id, id) do update
        set plan_id = excluded.plan_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
            revoked_at = excluded.revoked_at, updated_at = now()
    ), student as (
      update students s set enrollments_count = s.enrollments_count + g.live
      from (select student_id, sum(live)::int as live from given group by student_id) g
      where g.live <> 0 and s.site_id = $1 and s.id = g.student_id
    ), course as (
      update courses c set enrollments_count = c.enrollments_count + g.live
      from (select course_id, sum(live)::int as live from given group by course_id) g
      where g.live <> 0 and c.site_id = $1 and c.id = g.course_id
    )
    select ${row('written', 'null')} from written`,
};

/**
 * Writes one new enrollment with one grant, as most orders do. The statement for many reads, sorts and adds up lists.
 */
export const WRITE_NEW = {
  name: 'enrollments_write_new',
  text: `with written as (
      insert into enrollments (site_id, id, student_id, course_id, source, external_id, metadata, state, started_at,
        expires_at, changes_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      returning *
    ), granted as (
      insert into access_grants (site_id, id, enrollment_id, source, source_id, plan_id, starts_at, ends_at, revoked_at)
      values ($1, $13, $2, $14, $15, $16, $17, $18, $19)
    ), student as (
      update students set enrollments_count = enrollments_count + $12::int
      where $12::int <> 0 and site_id = $1 and id = $3
    ), course as (
      update courses set enrollments_count = enrollments_count + $12::int
      where $12::int <> 0 and site_id = $1 and id = $4
    )
    select ${row('written', 'null')} from written`,
};
