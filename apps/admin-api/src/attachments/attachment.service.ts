import { lectureAttachmentEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AttachmentRepository } from './attachment.repository.js';
import type { AttachmentsRow } from './attachment.repository.js';

interface PartOfCourse extends OfSite {
  readonly id: string;
  readonly course_id: string;
  readonly version: number;
}

/** Publishes the attachments of lectures for members. */
@Injectable()
export class AttachmentService {
  constructor(
    private readonly repository: AttachmentRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Publishes the attachments that locked lectures have now. */
  async publish(tx: EntityManager, site: OfSite, lecture_ids: readonly string[]): Promise<void> {
    const rows = await this.repository.ofLectures(tx, site, lecture_ids);
    const events = rows.map((row) => ({ ...toEvent(row), changed: ['attachments'] }));
    await this.outbox.addAll(tx, lectureAttachmentEvents, 'changed', events);
  }

  /** Publishes that a lecture with attachments is deleted. */
  end(tx: EntityManager, { id: lecture_id, ...lecture }: PartOfCourse): Promise<void> {
    return this.#end(tx, [{ ...lecture, lecture_id }]);
  }

  /** Publishes the same of all lectures of a locked course, which is about to be deleted. */
  async endAll(tx: EntityManager, site: OfSite, course_id: string): Promise<void> {
    await this.#end(tx, await this.repository.ofCourse(tx, site, course_id));
  }

  republication(): Republication<typeof lectureAttachmentEvents> {
    return {
      events: lectureAttachmentEvents,
      batch: async (tx, after, limit) => {
        const found = await this.repository.share(tx, after, limit);
        return found.map((row) => ({ key: [row.site_id, row.lecture_id], event: toEvent(row) }));
      },
    };
  }

  async #end(tx: EntityManager, rows: readonly Omit<AttachmentsRow, 'attachments'>[]): Promise<void> {
    const events = rows.map((row) => toEvent({ ...row, version: row.version + 1, attachments: [] }));
    await this.outbox.addAll(tx, lectureAttachmentEvents, 'deleted', events);
  }
}

function toEvent({
  site_id,
  lecture_id,
  course_id,
  version,
  attachments,
}: AttachmentsRow): NewEvent<typeof lectureAttachmentEvents> {
  const data = { lecture_id, course_id, site_id, attachments };
  return { aggregate_id: lecture_id, aggregate_version: version, site_id, data };
}
