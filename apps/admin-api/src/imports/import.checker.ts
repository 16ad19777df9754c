import { setImmediate } from 'node:timers/promises';
import type { Caller } from '@lyceum/collections';
import { runInTimeZone } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { JobFailure } from '#src/file-jobs/file-job.policy.js';
import { FileService } from '#src/files/file.service.js';
import { SchoolService } from '#src/school/school.service.js';
import { FaultLog, FileFault, faultOf } from './import.faults.js';
import { ImportFiles } from './import.files.js';
import { IMPORT_LIMITS, noRows, rowsDone } from './import.policy.js';
import type { ImportError, RowCounts } from './import.policy.js';
import type { ImportJob } from './import.queue.js';
import { RowChecks } from './import.row.policy.js';
import type { ImportRow } from './import.row.policy.js';
import { IMPORT_KINDS } from './import.kinds.js';
import { rowsOf } from './import.rows.js';
import { RowWriters } from './row-writers.js';

/** The result of a check, as the import stores it. */
export interface Checked {
  readonly state: 'previewed' | 'invalid';
  readonly rows_total: number;
  readonly preview: RowCounts;
  readonly log: FaultLog;
  /** Keys of the parts with the valid rows. */
  readonly parts: readonly string[];
}

/**
 * Checks all rows of a file against the rules, the other rows and the objects of the site. Stores the valid rows in
 * parts. Memory has one part, and the values of unique members of the file.
 */
@Injectable()
export class ImportChecker {
  constructor(
    private readonly uploads: FileService,
    private readonly writers: RowWriters,
    private readonly files: ImportFiles,
    private readonly schools: SchoolService,
  ) {}

  /** @throws {JobFailure} without the file */
  async check(job: ImportJob, caller: Caller, signal: AbortSignal): Promise<Checked> {
    const log = new FaultLog();
    const counts = noRows();
    const parts: string[] = [];
    const flush = async (rows: ImportRow[]): Promise<void> => {
      const valid = await this.#forecast(job, caller, rows.splice(0), { counts, log });
      if (valid.length > 0) parts.push(await this.files.putPart(job, valid));
    };
    const { timezone } = await this.schools.get(caller);
    // A date in a row is its start at the school.
    const fatal = await runInTimeZone(timezone ?? 'UTC', () => this.#read(job, signal, { counts, log, flush }));
    if (fatal !== undefined) log.addLast(fatal.fault);
    const rows_total = rowsDone(counts);
    const state = fatal !== undefined || parts.length === 0 ? 'invalid' : 'previewed';
    return { state, rows_total, preview: counts, log, parts };
  }

  /** Returns the fault that makes the rest of the file unreadable. */
  async #read(
    job: ImportJob,
    signal: AbortSignal,
    { counts, log, flush }: Tally & { readonly flush: (rows: ImportRow[]) => Promise<void> },
  ): Promise<FileFault | undefined> {
    const content = await this.uploads.content(job, { id: job.upload_id, purpose: 'import' });
    if (content === undefined) throw new JobFailure<ImportError>('file_gone');
    const kind = IMPORT_KINDS[job.collection];
    const checks = new RowChecks(kind, job);
    const rows: ImportRow[] = [];
    let read = 0;
    try {
      for await (const raw of rowsOf(content, job, kind)) {
        const checked = checks.check(raw);
        if ('line' in checked) rows.push(checked);
        else {
          log.add(checked);
          counts.rows_failed += 1;
        }
        if (rows.length === IMPORT_LIMITS.rowsOfPart) await flush(rows);
        read += 1;
        if (read % IMPORT_LIMITS.rowsOfTurn > 0) continue;
        signal.throwIfAborted();
        // Requests of others come first.
        await setImmediate();
      }
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      await flush(rows);
      return error;
    }
    await flush(rows);
    return undefined;
  }

  /** Counts what each row would do now. Returns the rows that would do something. */
  async #forecast(
    job: ImportJob,
    caller: Caller,
    rows: readonly ImportRow[],
    { counts, log }: Tally,
  ): Promise<readonly ImportRow[]> {
    if (rows.length === 0) return [];
    const values = rows.map((row) => row.values);
    const outcomes = await this.writers.of(job.collection).preview(caller, values, job);
    return rows.filter(({ line, values: members }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error('A row has no outcome');
      if (outcome.kind !== 'refused') {
        counts[`rows_${outcome.kind}`] += 1;
        return true;
      }
      counts.rows_failed += 1;
      log.add([faultOf({ line, members }, outcome.refusal, job.mapping)]);
      return false;
    });
  }
}

interface Tally {
  readonly counts: ReturnType<typeof noRows>;
  readonly log: FaultLog;
}
