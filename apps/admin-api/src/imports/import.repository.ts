import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobRows } from '#src/file-jobs/job-rows.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';
import type { Fault } from './import.faults.js';
import type { RowCounts } from './import.policy.js';

/** A part of the file as the database has it after its transaction. */
export interface DonePart {
  readonly counts: RowCounts;
  /** Faults to store, and the number of all new ones. */
  readonly faults: readonly Fault[];
  readonly faults_count: number;
}

const ADD = {
  name: 'imports_add_part',
  text: `update imports set parts_done = parts_done + 1, rows_created = rows_created + $3, rows_updated = rows_updated + $4,
           rows_skipped = rows_skipped + $5, rows_failed = rows_failed + $6, faults = faults || $7::jsonb,
           faults_count = faults_count + $8, updated_at = now()
         where site_id = $1 and id = $2 returning 1 as changed`,
};

/**
 * The plans of an empty table would stay, and each part would read all students of the parts before it. A part that a
 * crash of PostgreSQL loses is written again, as the import counts it in the same transaction.
 */
const BEGIN_PART = {
  name: 'imports_begin_part',
  text: `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('synchronous_commit', 'off', true)`,
};

/** Faults show values of rows, which can be those of a removed member. */
const ERASE = {
  name: 'imports_erase_values',
  text: `update imports set faults = (select jsonb_agg(fault || '{"value": null}') from jsonb_array_elements(faults) fault)
         where site_id = $1 and faults <> '[]' returning 1 as changed`,
};

@Injectable()
export class ImportRepository extends JobRows {
  constructor() {
    super('imports');
  }

  /** Prepares a transaction for many rows. Its commit does not wait for the disk. */
  async beginPart(tx: EntityManager): Promise<void> {
    await preparedQuery(tx, BEGIN_PART, []);
  }

  async addPart(tx: EntityManager, { site_id, id }: JobKey, { counts, faults, faults_count }: DonePart): Promise<void> {
    const { rows_created, rows_updated, rows_skipped, rows_failed } = counts;
    await preparedQuery(tx, ADD, [
      site_id,
      id,
      rows_created,
      rows_updated,
      rows_skipped,
      rows_failed,
      JSON.stringify(faults),
      faults_count,
    ]);
  }

  /** Erases the values in the faults of a site. The imports and their files end within a day. */
  async eraseValues(tx: EntityManager, { site_id }: Pick<JobKey, 'site_id'>): Promise<void> {
    await preparedQuery(tx, ERASE, [site_id]);
  }
}
