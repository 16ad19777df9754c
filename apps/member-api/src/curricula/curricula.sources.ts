import { opensAt, released } from '#src/course-access/course-access.js';
import { argument, sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';

/** The sections `cs` of the course of an enrollment `e`, with the given columns. */
const sectionsOf = (columns: string): string => `curricula cu, jsonb_to_recordset(cu.sections) as cs (${columns})
  where cu.site_id = e.site_id and cu.course_id = e.course_id`;
const SECTION = 'section_id uuid, position int, title text, drip_days int, opens_at timestamptz, lectures jsonb';

/** The lectures of a section `cs`, with the given columns and the progress of the member. */
const lecturesOf = (columns: string, more = ''): string => `(
  select l.*, p.position_seconds, p.completed_at${more} from jsonb_to_recordset(cs.lectures) as l (${columns})
  left join lecture_progress p
    on p.site_id = :site and p.person_id = :person and p.course_id = e.course_id and p.lecture_id = l.lecture_id)`;
const LECTURE =
  'lecture_id uuid, position int, slug text, title text, lecture_type text, free_preview bool, duration_seconds int';
const LECTURES = lecturesOf(LECTURE, `, ${opensAt('cs')} <= now() as is_open`);

/** Sorts before it builds JSON, so that it builds the JSON of one lecture only. */
const NEXT_LECTURE = `(
  select l.* from (select * from ${sectionsOf(SECTION)}) cs cross join lateral ${LECTURES} l
  where l.completed_at is null and ${released('l', 'cs')} order by cs.position, l.position limit 1) cl`;

/** The lecture with the id in the argument, whether its section is open or not. */
const LECTURE_BY_ID = `(
  select l.* from (select * from ${sectionsOf(SECTION)}) cs cross join lateral ${LECTURES} l
  where l.lecture_id = ${argument('id', 'uuid')} limit 1) cl`;

/**
 * Cost points of a course with 50 sections and 250 lectures, measured: PostgreSQL needs about 60 µs for a point.
 * A course with more lectures has the same points (ADR 66, ADR 155).
 */
const POINTS = {
  sections: 5,
  lectures: 50,
  nextLecture: 4,
  lecture: 4,
  completedLecturesCount: 2,
} as const;

/** Lectures of a large course. Some fields cost points for each lecture. */
const LISTED_LECTURES = 250;

export const curriculumSources: Sources = {
  EnrolledCourse: {
    curriculum: { kind: 'list', from: sectionsOf(SECTION), orderBy: 'cs.position', points: POINTS.sections },
    nextLecture: { kind: 'one', from: { CurriculumLecture: NEXT_LECTURE }, points: POINTS.nextLecture },
    lecture: { kind: 'one', from: { CurriculumLecture: LECTURE_BY_ID }, points: POINTS.lecture },
    lecturesCount: sql.number(
      `select coalesce(sum(jsonb_array_length(cs.lectures)), 0) from ${sectionsOf('lectures jsonb')}`,
    ),
    completedLecturesCount: {
      ...sql.number(
        `select count(l.completed_at) from (select cs.lectures from ${sectionsOf('lectures jsonb')}) cs
         cross join lateral ${lecturesOf('lecture_id uuid')} l`,
      ),
      points: POINTS.completedLecturesCount,
    },
  },
  CurriculumSection: {
    id: sql.uuid('cs.section_id'),
    title: sql.text('cs.title'),
    position: sql.number('cs.position'),
    availableAt: sql.nullable(sql.instant(`case when ${opensAt('cs')} > now() then ${opensAt('cs')} end`)),
    lectures: {
      kind: 'list',
      from: `${LECTURES} cl`,
      orderBy: 'cl.position',
      points: POINTS.lectures,
      items: LISTED_LECTURES,
    },
  },
  CurriculumLecture: {
    id: sql.uuid('cl.lecture_id'),
    slug: sql.text('cl.slug'),
    title: sql.text('cl.title'),
    position: sql.number('cl.position'),
    lectureType: sql.name('upper(cl.lecture_type)'),
    durationSeconds: sql.number('cl.duration_seconds'),
    freePreview: sql.boolean('cl.free_preview'),
    completed: sql.boolean('cl.completed_at is not null'),
    completedAt: sql.nullable(sql.instant('cl.completed_at')),
    positionSeconds: sql.nullable(sql.number('cl.position_seconds')),
  },
};
