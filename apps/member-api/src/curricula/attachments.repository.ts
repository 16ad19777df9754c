import { Injectable } from '@nestjs/common';
import { lectureAttachmentEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { Download } from '#src/download-links/download-links.js';
import { presentMember } from '#src/people/present-member.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { ENROLLED_COURSE, SEEN, lectureOpen, opensAt } from '#src/course-access/course-access.js';

type AttachmentsEvent = EventOf<[typeof lectureAttachmentEvents]>;

/** A lecture of a section `cs`, as JSON contains it. */
const lectureWith = (more = ''): string =>
  `cs.lectures @> jsonb_build_array(jsonb_build_object('lecture_id', $3::uuid${more}))`;

/** Finds a file, if the member may open its lecture now. */
const OPEN_FILE = `
  select 1 from lecture_attachments la
  join curricula cu on cu.site_id = la.site_id and cu.course_id = la.course_id
  cross join jsonb_to_recordset(cu.sections) as cs (drip_days int, opens_at timestamptz, lectures jsonb)
  join (${ENROLLED_COURSE}) on e.site_id = la.site_id and e.course_id = la.course_id
  where la.site_id = $1 and e.enrollment_id = $2 and la.lecture_id = $3::uuid
    and la.attachments @> jsonb_build_array(jsonb_build_object('file', jsonb_build_object('file_id', $4::text)))
    and ${lectureWith()} and ${SEEN}
    and ${lectureOpen(lectureWith(`, 'free_preview', true`), `${opensAt('cs')} <= now()`)}
    and exists (select from ${presentMember('$1', 'e.person_id')})
  limit 1`;

/** The attachments of each lecture. */
@Injectable()
@ReadModel('lecture-attachments')
export class AttachmentsRepository {
  constructor(private readonly database: Sql) {}

  @Consumes(lectureAttachmentEvents, 'lecture-attachments', { table: 'lecture_attachments' })
  async apply(events: readonly AttachmentsEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'lecture_attachments', key: ['site_id', 'lecture_id'] },
      rowsOf(events, ['site_id', 'lecture_id', 'course_id', 'attachments']),
    );
  }

  /** Whether the member may open the file of a link now. */
  async mayOpen(site_id: string, { row_id, source_id, file_id }: Download): Promise<boolean> {
    const values = [site_id, row_id, source_id, file_id];
    return (await this.database.query({ name: 'lecture_attachment_open', text: OPEN_FILE }, values)).length > 0;
  }
}
