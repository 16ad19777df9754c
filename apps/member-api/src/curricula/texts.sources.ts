import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';
import { LECTURE_OPEN } from '#src/course-access/course-access.js';

/** The text of an owner when all pieces of one version are there. NULL without a text. */
const textOf = (owner: string): string => `(
  select case when count(*) = max(t.pieces) and count(distinct (t.epoch, t.version)) = 1
    then nullif(string_agg(t.html, '' order by t.piece), '') end
  from texts t where t.site_id = :site and t.owner_id = ${owner})`;

/** Cost points of one text: PostgreSQL needs about 1 ms for the longest one. */
const TEXT_POINTS = 20;
/** Cost points of each text of a list: PostgreSQL needs 60 µs for one of 4,000 characters (ADR 172). */
const EACH_POINTS = 1;

export const textSources: Sources = {
  EnrolledCourse: {
    descriptionHtml: { ...sql.nullable(sql.text(textOf('e.course_id'))), points: TEXT_POINTS, long: true },
  },
  CurriculumLecture: {
    contentHtml: {
      ...sql.nullable(sql.text(`case when ${LECTURE_OPEN} then ${textOf('cl.lecture_id')} end`)),
      points: TEXT_POINTS - EACH_POINTS,
      pointsEach: EACH_POINTS,
      long: true,
    },
  },
};
