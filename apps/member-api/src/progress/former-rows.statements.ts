interface ProgressTable {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
}

const on = (columns: readonly string[]): string => columns.map((one) => `t.${one} = g.${one}`).join(' and ');

/**
 * Builds the statement that ends the rows of former people: those of the student with another person, and those of the
 * person by another student. A row without a student, of 0.1.0, is written again by the event that it repeats. `$1` has
 * the events with their places; returns the places of those that came late: the student has a later row with another
 * person.
 */
export const endFormerRows = ({ table, key }: ProgressTable): string => `
  with given as materialized (
    select * from jsonb_to_recordset($1::jsonb) as e (place int, site_id uuid, student_id uuid, person_id uuid,
      course_id uuid, lecture_id uuid, epoch bigint, watched_at timestamptz(3), version int)),
  of_student as materialized (
    select g.place, ${key.map((one) => `t.${one}`).join(', ')}, (t.epoch, t.version) > (g.epoch, g.version) as is_later
    from given g join ${table} t on ${on(['site_id', 'student_id', 'course_id', 'lecture_id'])}
    where t.person_id is distinct from g.person_id),
  late as materialized (select distinct place from of_student where is_later),
  former as materialized (
    select ${key.map((one) => `t.${one}`).join(', ')} from ${table} t join (
      select ${key.join(', ')} from of_student where place not in (select place from late)
      union
      select ${key.map((one) => `t.${one}`).join(', ')} from given g join ${table} t on ${on(key)}
      where g.place not in (select place from late)
        and (t.student_id <> g.student_id or t.student_id is null and t.lecture_id = g.lecture_id
          and (t.epoch, t.watched_at, t.version) = (g.epoch, g.watched_at, g.version))) as g on ${on(key)}
    order by ${key.map((one) => `t.${one}`).join(', ')} for update of t),
  ended as (delete from ${table} t using former g where ${on(key)})
  select place from late`;
