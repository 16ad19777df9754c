import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { coursesTaughtBy } from '#src/access/teacher.fence.js';
import type { Change } from './change.js';
import type { RecordedEvent } from './public-event-mappings.js';
import type { PublicEventType } from './public-event-types.js';

interface Reading {
  readonly site_id: string;
  readonly types: readonly PublicEventType[];
  /** Member whose own courses the changes are of. Undefined: all of the site. */
  readonly teacher: string | undefined;
  readonly after: string;
  readonly since: Date;
  readonly limit: number;
}

interface Found {
  readonly rows: readonly Change[];
  /** The position up to which the page has all changes, if it has fewer than its limit. */
  readonly clock: string;
}

/** A row of a page. An empty page has one without a change. */
type FoundRow = (Change | Readonly<Record<keyof Change, null>>) & { readonly clock: string };

/**
 * Records events in their order. The row of the clock stays locked until the commit, so positions become visible in
 * their order: a reader who has seen one has seen all lower ones. Positions follow the time, so they also grow after a
 * restore of the database.
 */
const RECORD = {
  name: 'changes_record',
  text: `with clock as (
      update change_clock
      set position = greatest(position, (extract(epoch from clock_timestamp()) * 1000000)::bigint) + $2
      returning position - $2 as start
    )
    insert into changes (site_id, position, id, type, object_id, course_id, data, occurred_at, created_at)
    select e.site_id, clock.start + e.place, e.id, e.type, e.object_id, e.course_id, e.data, e.occurred_at,
      to_timestamp((clock.start + e.place) / 1000000.0)
    from clock, jsonb_to_recordset($1::jsonb) as e (place int, site_id uuid, id uuid, type text, object_id uuid,
      course_id uuid, data jsonb, occurred_at timestamptz)`,
};

/**
 * One page of each group, which an index has in order, and the first ones of them. Beside the position of the clock,
 * also without changes: the statement sees all changes up to it, and later ones have higher positions.
 */
function pageOf(name: string, groups: string, condition: string): { readonly name: string; readonly text: string } {
  return {
    name,
    text: `select clock.position::text as clock, page.id, page.type, page.object_id, page.data, page.occurred_at,
        page.created_at, page.position::text as position
      from change_clock clock
      left join lateral (
        select page.*
        from ${groups}
        cross join lateral (
          select * from changes
          where changes.site_id = $1 and ${condition} and changes.position > $3::bigint and changes.created_at >= $4
          order by changes.position limit $5
        ) page
        order by page.position limit $5
      ) page on true
      order by page.position`,
  };
}

const OF_SITE = pageOf('changes_site', 'unnest($2::text[]) wanted (type)', 'changes.type = wanted.type');
const OF_TEACHER = pageOf(
  'changes_teacher',
  `unnest(${coursesTaughtBy('$6')} || array(
        select gone.course_id from teachers_of_deleted_courses gone where gone.site_id = $1 and gone.member_id = $6::uuid
      )) own (course_id)`,
  'changes.course_id = own.course_id and changes.type = any($2::text[])',
);

const EPOCH = { name: 'changes_epoch', text: 'select epoch::float8 as epoch from event_epoch' };

const FORGET = {
  name: 'changes_forget_teachers',
  text: 'delete from teachers_of_deleted_courses where deleted_at < $1',
};

@Injectable()
export class ChangeRepository {
  constructor(private readonly sql: Sql) {}

  /** Transactions that record wait for each other. */
  async record(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    const rows = events.map((event, index) => ({ ...event, place: index + 1 }));
    await preparedQuery(tx, RECORD, [JSON.stringify(rows), rows.length]);
  }

  /** Keeps who teaches a course that is about to be deleted, so that they read its deletion. */
  async keepTeachers(tx: EntityManager, { site_id, id }: { readonly site_id: string; readonly id: string }) {
    await tx.query(
      `insert into teachers_of_deleted_courses (site_id, member_id, course_id)
       select distinct l.site_id, l.member_id, taught.course_id
       from course_lecturers taught join lecturers l on l.site_id = taught.site_id and l.id = taught.lecturer_id
       where taught.site_id = $1 and taught.course_id = $2 and l.member_id is not null`,
      [site_id, id],
    );
  }

  /** Forgets teachers of courses that were deleted before. */
  async forgetTeachers(before: Date): Promise<void> {
    await this.sql.query(FORGET, [before]);
  }

  /** The epoch of the events of this database. A restore of the database raises it. */
  async epoch(): Promise<number | undefined> {
    return (await this.sql.query<{ epoch: number }>(EPOCH, []))[0]?.epoch;
  }

  /** Returns changes in the order of the feed. The work does not grow with the changes of the site. */
  async list({ site_id, types, teacher, after, since, limit }: Reading): Promise<Found> {
    const values = [site_id, types, after, since, limit];
    const found = await (teacher === undefined
      ? this.sql.query<FoundRow>(OF_SITE, values)
      : this.sql.query<FoundRow>(OF_TEACHER, [...values, teacher]));
    const rows = found.flatMap(({ clock: _clock, ...row }) => (row.id === null ? [] : [row as Change]));
    return { rows, clock: found[0]?.clock ?? after };
  }
}
