import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobRows } from '#src/file-jobs/job-rows.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';

/** The parts of a run. */
interface AddedParts {
  readonly keys: readonly string[];
  readonly bytes: number;
  readonly rows: number;
  readonly whole: boolean;
  /** Position after the parts. Null: they have the last row. */
  readonly cursor: string | null;
}

/** Condition on exports: those of a member, without rows from a time when the member was an owner or admin. */
export const OWN_EXPORTS = 'created_by = ? and not whole';

const ADD = {
  name: 'exports_add_parts',
  text: `update exports set parts = parts || $3::text[], cursor = $4, all_read = $4::text is null, whole = whole or $5,
           rows_count = rows_count + $6, bytes = bytes + $7, updated_at = now()
         where site_id = $1 and id = $2 returning 1 as changed`,
};

@Injectable()
export class ExportRepository extends JobRows {
  constructor() {
    super('exports');
  }

  async addParts(tx: EntityManager, { site_id, id }: JobKey, added: AddedParts): Promise<void> {
    const { keys, cursor, whole, rows, bytes } = added;
    await preparedQuery(tx, ADD, [site_id, id, keys, cursor, whole, rows, bytes]);
  }
}
