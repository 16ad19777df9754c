import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AttachmentService } from '#src/attachments/attachment.service.js';
import { FileUses } from '#src/files/file-uses.js';
import { FileLinks, linkPeriod } from '#src/files/file.links.js';
import type { DownloadLinks } from '#src/files/file.links.js';
import { TextService } from '#src/texts/text.service.js';
import { filesOf } from './attachment.policy.js';
import type { Attachment } from './attachment.policy.js';
import type { Lecture } from './lecture.entity.js';

interface WithAttachments {
  readonly id: string;
  readonly attachments: readonly Attachment[];
}

/** Members read these parts of a lecture beside its place in the curriculum. */
export type Material = Pick<Lecture, 'attachments' | 'content_html'>;

const NONE: Material = { attachments: [], content_html: null };

/** A lecture with the links to the files of its attachments. */
export type LinkedLecture = Lecture & { readonly links?: DownloadLinks };

/** The files and the contents of lectures. */
@Injectable()
export class LectureFiles {
  constructor(
    private readonly uses: FileUses,
    private readonly links: FileLinks,
    private readonly attachments: AttachmentService,
    private readonly texts: TextService,
  ) {}

  /** Publishes the material of a written lecture, as far as it changed. */
  async supply(tx: EntityManager, caller: Caller, lecture: Lecture, before: Material = NONE): Promise<void> {
    if (!isDeepStrictEqual(before.attachments, lecture.attachments)) {
      await this.#use(tx, caller, [lecture], before.attachments);
    }
    await this.texts.refill(tx, lecture, before.content_html);
  }

  /** Publishes the material of new lectures. */
  async supplyAll(tx: EntityManager, caller: Caller, lectures: readonly Lecture[]): Promise<void> {
    await this.#use(
      tx,
      caller,
      lectures.filter(({ attachments }) => attachments.length > 0),
    );
    await this.texts.fill(tx, lectures);
  }

  /** Publishes the material of a copied course. `lectures` are those with attachments. */
  async copy(
    tx: EntityManager,
    caller: Caller,
    course_id: string,
    lectures: readonly WithAttachments[],
  ): Promise<void> {
    await this.#use(tx, caller, lectures);
    await this.texts.fillAll(tx, { site_id: caller.site_id, course_id });
  }

  /** Makes lectures with new attachments use their files, and publishes the attachments. */
  async #use(tx: EntityManager, caller: Caller, now: readonly WithAttachments[], before: readonly Attachment[] = []) {
    if (now.length === 0) return;
    const users = now.map(({ id, attachments }) => ({ id, files: filesOf(attachments) }));
    const hasFiles = users.some(({ files }) => files.length > 0) || filesOf(before).length > 0;
    if (hasFiles) await this.uses.replace(tx, caller, 'lecture_id', users);
    const ids = users.map(({ id }) => id);
    await this.attachments.publish(tx, caller, ids);
  }

  /** Ends the material of a deleted lecture. */
  async end(tx: EntityManager, lecture: Lecture): Promise<void> {
    if (lecture.attachments.length > 0) await this.attachments.end(tx, lecture);
    await this.texts.endContent(tx, lecture);
  }

  /** Ends the material of all lectures of a locked course, which the database deletes with it. */
  async endAll(tx: EntityManager, { site_id }: Pick<Lecture, 'site_id'>, course_id: string): Promise<void> {
    await this.attachments.endAll(tx, { site_id }, course_id);
    await this.texts.endContents(tx, { site_id, course_id });
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
