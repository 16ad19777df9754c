import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Outbox } from '@lyceum/messaging';
import { withStep } from '@lyceum/rest';
import type { ContentType } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import { uploadKey } from '#src/files/file.policy.js';
import type { Rejection } from '#src/files/file.policy.js';
import type { UploadCreate } from '#src/files/file.schema.js';
import { FileService } from '#src/files/file.service.js';
import type { Uploader } from '#src/files/file.service.js';
import { FileStorage, withoutStore } from '#src/files/file.storage.js';

/** A picture that a form of a page has sent. */
interface ReceivedPicture {
  readonly filename: string;
  readonly content_type: ContentType;
  readonly content: Buffer;
}

interface StoredPicture {
  /** Null for a rejected picture. */
  readonly file_id: string | null;
  readonly rejection: Rejection | null;
}

/** Stores pictures of pages as uploads of the member, with the same quota and the same checks. */
@Injectable()
export class ReceivedPictures {
  constructor(
    private readonly files: FileService,
    private readonly storage: FileStorage,
    private readonly outbox: Outbox,
  ) {}

  /**
   * A form that is sent again gets the same file.
   *
   * @throws `validation_failed` for a picture that is no logo, `quota_exceeded` without room, `temporarily_unavailable`
   *   while the store does not respond
   */
  async store(member: Uploader, { content, filename, content_type }: ReceivedPicture): Promise<StoredPicture> {
    const bytes = content.length;
    const file: UploadCreate = { purpose: 'logo', filename, content_type, bytes, sha256: hash('sha256', content) };
    const same = await this.files.findStored(member, file);
    if (same !== undefined) return { file_id: same, rejection: null };
    const { row } = await this.outbox.transaction((tx) => this.files.create(member, file, { tx, dryRun: false }));
    const key = uploadKey({ site_id: member.site_id, id: row.id });
    await this.storage.store.put(key, Readable.from([content]), file).catch(withoutStore);
    const { row: checked } = await withStep(() =>
      this.outbox.transaction((tx) => this.files.complete(member, { id: row.id }, { tx, dryRun: false })),
    );
    return checked.state === 'ready'
      ? { file_id: checked.id, rejection: null }
      : { file_id: null, rejection: checked.rejection };
  }
}
