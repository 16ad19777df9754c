import type { Fence } from '@lyceum/collections';
import type { LectureReference } from '@lyceum/contracts';
import { Sql, preparedStatement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LECTURE_URL_PARTS } from '#src/urls/object-url.js';
import type { UrlPart } from '#src/urls/object-url.js';
import type { Sections } from './curriculum-pieces.policy.js';
import type { CurriculumOrder } from './curriculum.policy.js';
import type { Lecture } from './lecture.entity.js';

interface CourseKey {
  readonly site_id: string;
  readonly course_id: string;
}

/** The position of a new part, and the number of parts of its kind in the course. */
export interface Place {
  readonly parts: number;
  readonly position: number;
}

/** A lecture as progress names it. */
export interface LectureKey {
  readonly id: string;
  readonly title: string;
}

/** The parts of a course with their version, which grows with each change of any part. */
export interface CurriculumRow extends CourseKey {
  readonly version: number;
  readonly sections: Sections;
  readonly updated_at: Date | null;
}

/** Lectures that a republication reads at a time, unless one course has more: about 4 MiB of events. */
const SHARED_LECTURES = 5_000;

const LECTURES = `
  select jsonb_agg(jsonb_build_object(
      'lecture_id', l.id, 'slug', l.slug, 'title', l.title, 'lecture_type', l.lecture_type, 'state', l.state,
      'free_preview', l.free_preview, 'duration_seconds', l.duration_seconds,
      'published_at', to_char(l.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by l.position, l.id)
  from lectures l where l.site_id = s.site_id and l.section_id = s.id`;

/** The sections of a course `c`, as its event has them. */
const SECTIONS = `
  coalesce((select jsonb_agg(jsonb_build_object(
      'section_id', s.id, 'title', s.title, 'drip_days', s.drip_days,
      'opens_at', to_char(s.opens_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'lectures', coalesce((${LECTURES}), '[]')
    ) order by s.position, s.id)
  from sections s where s.site_id = c.site_id and s.course_id = c.id), '[]')`;

const CURRICULUM = `select c.site_id, c.id as course_id, c.curriculum_version as version, ${SECTIONS} as sections,
    c.curriculum_updated_at as updated_at
  from courses c`;

/** Condition on the section `$2` of the site `$1`: it has lectures. */
export const SECTION_IN_USE = 'exists (select 1 from lectures where site_id = $1 and section_id = $2)';

/** Condition on the lecture `$2` of the site `$1`: students have progress in it, or commented on it. */
export const LECTURE_IN_USE = `exists (select 1 from progress where site_id = $1 and lecture_id = $2)
      or exists (select 1 from comments where site_id = $1 and commentable_id = $2)`;

/** The parts that a copy of a curriculum has made. */
interface CopiedParts {
  readonly sections: number;
  readonly lectures: readonly Pick<Lecture, 'id' | 'attachments'>[];
}

@Injectable()
export class CurriculumRepository {
  constructor(private readonly sql: Sql) {}

  /** @param fence limits the courses that the caller may see */
  async find({ site_id, course_id }: CourseKey, fence: Fence | undefined): Promise<CurriculumRow | undefined> {
    const fenced = fence === undefined ? '' : ` and ${fence.condition.replace('?', '$3')}`;
    const values = [site_id, course_id, ...(fence?.value === undefined ? [] : [fence.value])];
    const statement = preparedStatement(
      'curriculum',
      `${CURRICULUM} where c.site_id = $1 and c.id = $2${fenced}`,
      values,
    );
    const [row] = await this.sql.query<CurriculumRow>(statement, statement.values);
    return row;
  }

  /** The parts of the URLs of lectures, by the course. Empty: the site has no template for them. */
  async urlParts({ site_id }: Pick<CourseKey, 'site_id'>, course_ids: ReadonlySet<string>) {
    const statement = { name: 'lectures_url_parts', text: LECTURE_URL_PARTS };
    const values = [site_id, [...course_ids]];
    const rows = await this.sql.query<{ course_id: string; url_part: UrlPart }>(statement, values);
    return new Map(rows.map(({ course_id, url_part }) => [course_id, url_part]));
  }

  /** The version of a curriculum. 0: the course never had a part. */
  async version(tx: EntityManager, { site_id, course_id }: CourseKey): Promise<number> {
    const text = 'select curriculum_version as version from courses where site_id = $1 and id = $2';
    const [row] = await tx.query<Pick<CurriculumRow, 'version'>[]>(text, [site_id, course_id]);
    return row?.version ?? 0;
  }

  /** The parts of a locked course. */
  async read(tx: EntityManager, { site_id, course_id }: CourseKey): Promise<CurriculumRow> {
    const text = `${CURRICULUM} where c.site_id = $1 and c.id = $2`;
    const [row] = await tx.query<CurriculumRow[]>(text, [site_id, course_id]);
    if (row === undefined) throw new Error(`The locked course ${course_id} is missing`);
    return row;
  }

  /** Raises the version of a locked course by the number of changes. Returns its parts as they are after these. */
  async revise(tx: EntityManager, { site_id, course_id }: CourseKey, changes = 1): Promise<CurriculumRow> {
    const [rows] = await tx.query<[CurriculumRow[], number]>(
      `update courses c
       set curriculum_version = c.curriculum_version + $3, curriculum_updated_at = now(),
         duration_seconds = (select coalesce(sum(l.duration_seconds), 0) from lectures l
                             where l.site_id = c.site_id and l.course_id = c.id and l.state = 'published')
       where c.site_id = $1 and c.id = $2
       returning c.site_id, c.id as course_id, c.curriculum_version as version, ${SECTIONS} as sections,
         c.curriculum_updated_at as updated_at`,
      [site_id, course_id, changes],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`The locked course ${course_id} is missing`);
    return row;
  }

  /**
   * The lecture of a course that a reference names.
   *
   * @param lock `for share`: a deletion of the lecture waits until the transaction ends
   */
  async lecture(
    tx: EntityManager,
    { site_id, course_id }: CourseKey,
    reference: LectureReference,
    lock: 'for share' | '' = '',
  ): Promise<LectureKey | undefined> {
    const [column, value] = 'external_id' in reference ? ['external_id', reference.external_id] : ['id', reference.id];
    const [found] = await tx.query<LectureKey[]>(
      `select id, title from lectures where site_id = $1 and ${column} = $2 and course_id = $3 ${lock}`,
      [site_id, value, course_id],
    );
    return found;
  }

  /** Returns the position after the last section of a course. */
  async sectionPlace(tx: EntityManager, { site_id, course_id }: CourseKey): Promise<Place> {
    const [place] = await tx.query<Place[]>(
      `select count(*)::int as parts, coalesce(max(position), 0) + 1 as position
       from sections where site_id = $1 and course_id = $2`,
      [site_id, course_id],
    );
    return place ?? { parts: 0, position: 1 };
  }

  /** Returns the position after the last lecture of each section that exists. */
  async lecturePlaces(
    tx: EntityManager,
    { site_id }: Pick<CourseKey, 'site_id'>,
    sections: readonly string[],
  ): Promise<ReadonlyMap<string, Place>> {
    const places = await tx.query<(Place & { readonly id: string })[]>(
      `select s.id,
         (select count(*)::int from lectures l where l.site_id = s.site_id and l.course_id = s.course_id) as parts,
         (select coalesce(max(l.position), 0) + 1 from lectures l
          where l.site_id = s.site_id and l.section_id = s.id) as position
       from sections s where s.site_id = $1 and s.id = any($2::uuid[])`,
      [site_id, sections],
    );
    return new Map(places.map(({ id, parts, position }) => [id, { parts, position }]));
  }

  /** Moves each section and lecture to its place in the order, with one statement for each table. */
  async reorder(tx: EntityManager, { site_id }: CourseKey, order: CurriculumOrder): Promise<void> {
    const sections = order.map(({ id }, index) => ({ id, position: index + 1 }));
    const lectures = order.flatMap(({ id: section_id, lecture_ids }) =>
      lecture_ids.map((id, index) => ({ id, section_id, position: index + 1 })),
    );
    await tx.query(
      `update sections s set position = o.position, version = s.version + 1, updated_at = now()
       from jsonb_to_recordset($2::jsonb) as o (id uuid, position int)
       where s.site_id = $1 and s.id = o.id and s.position <> o.position`,
      [site_id, JSON.stringify(sections)],
    );
    await tx.query(
      `update lectures l set section_id = o.section_id, position = o.position, version = l.version + 1,
         updated_at = now()
       from jsonb_to_recordset($2::jsonb) as o (id uuid, section_id uuid, position int)
       where l.site_id = $1 and l.id = o.id and (l.section_id, l.position) <> (o.section_id, o.position)`,
      [site_id, JSON.stringify(lectures)],
    );
  }

  /**
   * Copies the parts of a course to an empty one. Copies of published lectures are published now. Copies have no
   * `external_id`, which is unique.
   *
   * @returns the number of sections, and the new lectures with attachments
   */
  async copy(tx: EntityManager, { site_id, course_id }: CourseKey, to: string): Promise<CopiedParts> {
    const [copied] = await tx.query<CopiedParts[]>(
      `with source as materialized (
         select *, uuidv7() as copy_id from sections where site_id = $1 and course_id = $2 order by position, id
       ), copied_sections as (
         insert into sections (site_id, id, course_id, title, position, drip_days, opens_at, metadata)
         select site_id, copy_id, $3, title, position, drip_days, opens_at, metadata from source
       ), copied_lectures as (
         insert into lectures (site_id, course_id, section_id, slug, title, position, lecture_type, state, free_preview,
           duration_seconds, content_html, attachments, metadata, published_at)
         select l.site_id, $3, s.copy_id, l.slug, l.title, l.position, l.lecture_type, l.state, l.free_preview,
           l.duration_seconds, l.content_html, l.attachments, l.metadata, case when l.state = 'published' then now() end
         from lectures l join source s on s.site_id = l.site_id and s.id = l.section_id
         returning id, attachments
       )
       select (select count(*)::int from source) as sections,
         coalesce(jsonb_agg(to_jsonb(l)) filter (where l.attachments <> '[]'), '[]') as lectures
       from copied_lectures l`,
      [site_id, course_id, to],
    );
    return copied ?? { sections: 0, lectures: [] };
  }

  /**
   * Curricula of all sites with parts, locked until the transaction ends. Returns fewer than the limit when they have
   * more than `SHARED_LECTURES` lectures.
   */
  async share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<CurriculumRow[]> {
    const range = `courses c where (c.site_id, c.id) > ($1, $2) and c.curriculum_version > 0
      order by c.site_id, c.id limit $3`;
    const sizes = await tx.query<{ readonly lectures: number }[]>(
      `select (select count(*)::int from lectures l where l.site_id = c.site_id and l.course_id = c.id) as lectures
       from ${range} for share of c`,
      [site_id, id, limit],
    );
    let sum = 0;
    const beyond = sizes.findIndex(({ lectures }) => (sum += lectures) > SHARED_LECTURES);
    const some = beyond === -1 ? limit : Math.max(1, beyond);
    return tx.query<CurriculumRow[]>(CURRICULUM.replace('courses c', range), [site_id, id, some]);
  }
}
