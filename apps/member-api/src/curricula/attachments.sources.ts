import { downloadTokenSql } from '#src/download-links/download-links.js';
import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';
import { LECTURE_OPEN } from '#src/course-access/course-access.js';

const FILE = `a.value->'file'->>`;
const TOKEN = downloadTokenSql('e.enrollment_id', 'cl.lecture_id', `(${FILE}'file_id')::uuid`);
const LINK = `:base_url || '/member/attachments?token=' || ${TOKEN}`;

/** The attachments of a lecture `cl` of the enrollment `e`. */
export const attachmentSources: Sources = {
  CurriculumLecture: {
    attachments: {
      kind: 'list',
      from: `lecture_attachments la cross join jsonb_array_elements(la.attachments) with ordinality as a (value, place)
        where la.site_id = :site and la.lecture_id = cl.lecture_id`,
      orderBy: 'a.place',
      points: 25,
    },
  },
  LectureAttachment: {
    title: sql.text(`a.value->>'title'`),
    kind: sql.name(`upper(a.value->>'kind')`),
    filename: sql.nullable(sql.text(`${FILE}'filename'`)),
    contentType: sql.nullable(sql.text(`${FILE}'content_type'`)),
    sizeBytes: sql.nullable(sql.number(`${FILE}'bytes'`)),
    downloadable: sql.boolean(`(a.value->>'downloadable')::bool`),
    downloadUrl: {
      kind: 'value',
      json: `case when ${LECTURE_OPEN} then to_json(coalesce(a.value->>'url', ${LINK}))::text else 'null' end`,
    },
  },
};
