import { Injectable } from '@nestjs/common';
import { JobFiles } from '#src/file-jobs/job-files.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';
import { PREFIXES } from '#src/files/file.policy.js';
import { FileStorage } from '#src/files/file.storage.js';
import { SchoolService } from '#src/school/school.service.js';
import type { Import } from './import.entity.js';
import { reportText } from './import.faults.js';
import type { Fault } from './import.faults.js';
import type { RowValues } from '#src/import-rows/row-writer.js';
import type { ImportRow } from './import.row.policy.js';

/** The valid rows of imports in parts, and the reports of faults. */
@Injectable()
export class ImportFiles extends JobFiles {
  constructor(storage: FileStorage, schools: SchoolService) {
    super(PREFIXES.imports, storage, schools);
  }

  putPart(job: JobKey, rows: readonly ImportRow[]): Promise<string> {
    return this.put(job, 'jsonl', [Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))]);
  }

  async readPart(key: string): Promise<readonly ImportRow[]> {
    const pieces = (await (await this.storage.store.read(key)).toArray()) as Buffer[];
    const lines = Buffer.concat(pieces).toString().split('\n');
    return lines.map((line) => {
      const { student, ...row } = JSON.parse(line) as ImportRow & { readonly student?: RowValues };
      // A replica of release 0.1.0 names the values of a row `student`.
      return student === undefined ? row : { ...row, values: student };
    });
  }

  /** The key of a report, or null without faults. */
  async putReport(job: JobKey & Pick<Import, 'format'>, faults: readonly Fault[]): Promise<string | null> {
    return faults.length === 0 ? null : this.put(job, job.format, [Buffer.from(reportText(job.format, faults))]);
  }

  /** The import with the link to its report. */
  async linked(row: Import): Promise<LinkedImport> {
    const { site_id, report_key: key, collection, created_at, format } = row;
    if (key === null) return unlinked(row);
    const title = `import-${collection}-${created_at.toISOString().slice(0, 10)}-faults`;
    return Object.assign({}, row, { report_url: await this.link({ site_id, key, title, format }) });
  }
}

export type LinkedImport = Import & { readonly report_url: string | null };

export function unlinked(row: Import): LinkedImport {
  return Object.assign({}, row, { report_url: null });
}
