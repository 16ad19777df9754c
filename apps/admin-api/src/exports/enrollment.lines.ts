import { asInstant, asJson, asNumber, asPlain, asText, asValues, asWord, objectText } from '@lyceum/rest';
import type { LineColumns } from '@lyceum/rest';

const GRANT = objectText({
  id: asWord('g.id'),
  source: asWord('g.source'),
  source_id: asWord('g.source_id'),
  plan_id: asWord('g.plan_id'),
  starts_at: asInstant('g.starts_at'),
  ends_at: asInstant('g.ends_at'),
  revoked_at: asInstant('g.revoked_at'),
});

/** A grant that only JavaScript can write is counted, but not joined. */
const GRANTS = `(
  select case when count(*) = count(one) then '[' || coalesce(string_agg(one, ','), '') || ']' end as grants,
    array_agg(plan_id) filter (where plan_id is not null) as plan_ids
  from (
    select g.plan_id, ${GRANT} as one from access_grants g
    where g.site_id = $1 and g.enrollment_id = enrollments.id
    order by g.starts_at, g.id) each) granted`;

const WATCHED = objectText({
  lecture_id: asWord('p.lecture_id'),
  lecture_title: asText('p.lecture_title'),
  position_seconds: asPlain('p.position_seconds'),
  watched_at: asInstant('p.watched_at'),
});

/** Null: only JavaScript can write it. Without the offset, PostgreSQL would read it with each of its names. */
const LAST_WATCHED = `(
  select nullif(coalesce((
    select coalesce(${WATCHED}, '') from progress p
    where p.site_id = $1 and p.student_id = enrollments.student_id and p.course_id = enrollments.course_id
    order by p.watched_at desc, p.id desc limit 1), 'null'), '') as last_watched offset 0) watched`;

/** Only JavaScript computes a state that the clock has not written yet. */
const STATE = 'case when changes_at is null or changes_at > now() then state end';

export const ENROLLMENT_LINES: LineColumns = {
  from: `${GRANTS}, ${LAST_WATCHED}`,
  columns: {
    id: asWord('id'),
    student_id: asWord('student_id'),
    course_id: asWord('course_id'),
    plan_id: asWord('plan_ids[cardinality(plan_ids)]'),
    state: { json: `'"' || ${STATE} || '"'`, cell: STATE },
    source: asWord('source'),
    started_at: asInstant('started_at'),
    expires_at: asInstant('expires_at'),
    has_lifetime_access: asPlain('(expires_at is null)'),
    completion_rate: asNumber('completion_rate'),
    completed_at: asInstant('completed_at'),
    last_watched: asJson('last_watched'),
    grants: asJson('grants'),
    external_id: asText('external_id'),
    metadata: asValues('metadata'),
    created_at: asInstant('created_at'),
    updated_at: asInstant('updated_at'),
  },
};
