import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FaultLog, faultOf } from './import.faults.js';
import { IMPORT_LIMITS, noRows } from './import.policy.js';
import type { ImportJob } from './import.queue.js';
import type { DonePart } from './import.repository.js';
import type { ImportRow } from './import.row.policy.js';
import { RowWriters } from './row-writers.js';

/** Writes the rows of a part with the same number of statements for any number of rows. */
@Injectable()
export class ImportWriter {
  constructor(private readonly writers: RowWriters) {}

  /** @throws {JobFailure} when the import cannot go on: the transaction must roll back */
  async write(job: ImportJob, caller: Caller, rows: readonly ImportRow[], tx: EntityManager): Promise<DonePart> {
    const values = rows.map((row) => row.values);
    const outcomes = await this.writers.of(job.collection).run(caller, values, job, tx);
    const counts = noRows();
    const log = new FaultLog(IMPORT_LIMITS.faults - job.faults_count);
    for (const [index, { line, values: members }] of rows.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error('A row has no outcome');
      if (outcome.kind !== 'refused') counts[`rows_${outcome.kind}`] += 1;
      else {
        log.add([faultOf({ line, members }, outcome.refusal, job.mapping)]);
        counts.rows_failed += 1;
      }
    }
    return { counts, faults: log.stored, faults_count: log.count };
  }
}
