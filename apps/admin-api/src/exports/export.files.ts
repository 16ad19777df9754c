import { Injectable } from '@nestjs/common';
import { JOB_FILE_TYPES, JobFiles } from '#src/file-jobs/job-files.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';
import { PREFIXES } from '#src/files/file.policy.js';
import { FileStorage } from '#src/files/file.storage.js';
import { SchoolService } from '#src/school/school.service.js';
import type { Export } from './export.entity.js';

/** The parts and the file of exports. */
@Injectable()
export class ExportFiles extends JobFiles {
  constructor(storage: FileStorage, schools: SchoolService) {
    super(PREFIXES.exports, storage, schools);
  }

  /** Joins the parts and returns the key of the file. */
  async join(job: JobKey & Pick<Export, 'format'>, parts: readonly string[], signal: AbortSignal): Promise<string> {
    const key = this.newKey(job);
    await this.storage.store.concat(parts, { key, content_type: JOB_FILE_TYPES[job.format] }, signal);
    return key;
  }

  /** Adds the download link to a ready export. */
  async linked(row: Export): Promise<LinkedExport> {
    if (row.state !== 'ready' || row.file_key === null) return unlinked(row);
    const { site_id, file_key: key, collection, created_at, format } = row;
    const title = `${collection}-${created_at.toISOString().slice(0, 10)}`;
    return Object.assign({}, row, { download_url: await this.link({ site_id, key, title, format }) });
  }
}

export type LinkedExport = Export & { readonly download_url: string | null };

export function unlinked(row: Export): LinkedExport {
  return Object.assign({}, row, { download_url: null });
}
