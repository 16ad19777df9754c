import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AttachmentService } from '#src/attachments/attachment.service.js';
import { FileUses } from '#src/files/file-uses.js';
import { FileLinks, linkPeriod } from '#src/files/file.links.js';
import type { DownloadLinks } from '#src/files/file.links.js';
import { filesOf } from './attachment.policy.js';
import type { Attachment } from './attachment.policy.js';
import type { Lecture } from './lecture.entity.js';

interface WithAttachments {
  readonly id: string;
  readonly attachments: readonly Attachment[];
}

/** A lecture with the links to the files of its attachments. */
export type LinkedLecture = Lecture & { readonly links?: DownloadLinks };

/** The files of lectures. */
@Injectable()
export class LectureFiles {
  constructor(
    private readonly uses: FileUses,
    private readonly links: FileLinks,
    private readonly attachments: AttachmentService,
  ) {}

  /** Makes lectures with new attachments use their files, and publishes the attachments. */
  async use(tx: EntityManager, caller: Caller, now: readonly WithAttachments[], before: readonly Attachment[] = []) {
    if (now.length === 0) return;
    const users = now.map(({ id, attachments }) => ({ id, files: filesOf(attachments) }));
    const hasFiles = users.some(({ files }) => files.length > 0) || filesOf(before).length > 0;
    if (hasFiles) await this.uses.replace(tx, caller, 'lecture_id', users);
    const ids = users.map(({ id }) => id);
    await this.attachments.publish(tx, caller, ids);
  }

  /** Ends the attachments of a deleted lecture. */
  async end(tx: EntityManager, lecture: Lecture): Promise<void> {
    if (lecture.attachments.length > 0) await this.attachments.end(tx, lecture);
  }

  /** Ends the attachments of all lectures of a locked course, which the database deletes with it. */
  endAll(tx: EntityManager, { site_id }: Pick<Lecture, 'site_id'>, course_id: string): Promise<void> {
    return this.attachments.endAll(tx, { site_id }, course_id);
  }

  /** Adds the links to all files of lectures of one site. */
  async linked(rows: readonly Lecture[], tx?: EntityManager): Promise<LinkedLecture[]> {
    const ids = new Set(rows.flatMap(({ attachments }) => filesOf(attachments).map(({ file_id }) => file_id)));
    const [first] = rows;
    const links = first && (await this.links.downloads(first, [...ids], tx));
    return rows.map((row) => Object.assign(row, links && { links }));
  }
}

/** The attachments of a lecture in responses. */
export function shownAttachments({ attachments, links }: LinkedLecture) {
  return attachments.map(({ title, kind, url, file_id = null, downloadable }) => ({
    title,
    kind,
    url,
    file_id,
    download_url: (file_id !== null && links?.get(file_id)) || null,
    downloadable,
  }));
}

/** Counters of the entity tag: links of another hour make another response. */
export function linkVersions({ attachments }: Pick<Lecture, 'attachments'>): number[] {
  return filesOf(attachments).length === 0 ? [] : [linkPeriod()];
}
