import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { JOB_FILE_TYPES, JobFiles } from '#src/file-jobs/job-files.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';
import { FileStorage } from '#src/files/file.storage.js';
import { SchoolService } from '#src/school/school.service.js';
import type { Export } from './export.entity.js';

/** The parts and the file of exports. */
@Injectable()
export class ExportFiles extends JobFiles {
  constructor(storage: FileStorage, schools: SchoolService) {
    super('exports/', storage, schools);
  }

  /** Joins the parts and returns the key of the file. Reads them twice: an upload needs size and hash in advance. */
  async join(job: JobKey & Pick<Export, 'format'>, parts: readonly string[], signal: AbortSignal): Promise<string> {
    const sum = createHash('sha256');
    let bytes = 0;
    for await (const piece of this.#pieces(parts, signal)) {
      sum.update(piece);
      bytes += piece.length;
    }
    const name = this.newKey(job);
    const promised = { bytes, sha256: sum.digest('hex'), content_type: JOB_FILE_TYPES[job.format] };
    // One piece waits for the store.
    const body = Readable.from(this.#pieces(parts, signal), { highWaterMark: 1 });
    await this.storage.store.put(name, body, promised);
    return name;
  }

  /** Adds the download link to a ready export. */
  async linked(row: Export): Promise<LinkedExport> {
    if (row.state !== 'ready' || row.file_key === null) return unlinked(row);
    const { site_id, file_key: key, collection, created_at, format } = row;
    const title = `${collection}-${created_at.toISOString().slice(0, 10)}`;
    return Object.assign({}, row, { download_url: await this.link({ site_id, key, title, format }) });
  }

  async *#pieces(parts: readonly string[], signal: AbortSignal): AsyncGenerator<Buffer> {
    for (const part of parts) {
      signal.throwIfAborted();
      for await (const piece of await this.storage.store.read(part)) yield piece as Buffer;
    }
  }
}

export type LinkedExport = Export & { readonly download_url: string | null };

export function unlinked(row: Export): LinkedExport {
  return Object.assign({}, row, { download_url: null });
}
