import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobRows } from '#src/file-jobs/job-rows.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';

/** Facts of a part of the file. */
export interface Part {
  readonly bytes: number;
  readonly rows: number;
  readonly whole: boolean;
  /** Position after the part. Null: the part has the last row. */
  readonly cursor: string | null;
}

const ADD = {
  name: 'exports_add_part',
  text: `update exports set parts = array_append(parts, $3), cursor = $4, all_read = $4::text is null, whole = whole or $5,
           rows_count = rows_count + $6, bytes = bytes + $7, updated_at = now()
         where site_id = $1 and id = $2 returning 1 as changed`,
};

@Injectable()
export class ExportRepository extends JobRows {
  constructor() {
    super('exports');
  }

  async addPart(tx: EntityManager, { site_id, id }: JobKey, key: string, part: Part): Promise<void> {
    const { cursor, whole, rows, bytes } = part;
    await preparedQuery(tx, ADD, [site_id, id, key, cursor, whole, rows, bytes]);
  }
}
