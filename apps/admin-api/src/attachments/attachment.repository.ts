import type { OfSite, lectureAttachmentEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A lecture with its attachments, as the event has them. */
export interface AttachmentsRow extends OfSite {
  readonly lecture_id: string;
  readonly course_id: string;
  readonly version: number;
  readonly attachments: NewEvent<typeof lectureAttachmentEvents>['data']['attachments'];
}

const ATTACHMENTS = `
  select l.site_id, l.id as lecture_id, l.course_id, l.version, coalesce((
    select jsonb_agg(jsonb_build_object(
        'title', a.value->'title', 'kind', a.value->'kind', 'url', a.value->'url',
        'downloadable', a.value->'downloadable',
        'file', case when f.id is not null then jsonb_build_object(
          'file_id', f.id, 'filename', f.filename, 'content_type', f.content_type, 'bytes', f.bytes) end
      ) order by a.place)
    from jsonb_array_elements(l.attachments) with ordinality as a (value, place)
    left join files f on f.site_id = l.site_id and f.id = (a.value->>'file_id')::uuid), '[]') as attachments
  from lectures l`;

@Injectable()
export class AttachmentRepository {
  /** Reads the attachments of locked lectures. */
  ofLectures(tx: EntityManager, { site_id }: OfSite, ids: readonly string[]): Promise<AttachmentsRow[]> {
    return tx.query(`${ATTACHMENTS} where l.site_id = $1 and l.id = any($2::uuid[]) order by l.id`, [site_id, ids]);
  }

  /** Reads the attachments of the lectures of a locked course, as far as they have some. */
  ofCourse(tx: EntityManager, { site_id }: OfSite, course_id: string): Promise<AttachmentsRow[]> {
    const where = `where l.site_id = $1 and l.course_id = $2 and l.attachments <> '[]' order by l.id`;
    return tx.query(`${ATTACHMENTS} ${where}`, [site_id, course_id]);
  }

  /** Lectures with attachments of all sites, locked until the transaction ends. */
  async share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<AttachmentsRow[]> {
    const range = `where (l.site_id, l.id) > ($1, $2) and l.attachments <> '[]' order by l.site_id, l.id limit $3`;
    await tx.query(`select 1 from lectures l ${range} for share`, [site_id, id, limit]);
    return tx.query(`${ATTACHMENTS} ${range}`, [site_id, id, limit]);
  }
}
