import type { Caller } from '@lyceum/collections';
import { isAdministrator } from '@lyceum/contracts';
import { LostLease } from '@lyceum/jobs';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forbidden } from '#src/file-jobs/file-job.policy.js';
import { MemberRoles } from '#src/roles/member-roles.service.js';
import { ImportChecker } from './import.checker.js';
import type { Fault } from './import.faults.js';
import { ImportFiles } from './import.files.js';
import type { ImportJob } from './import.queue.js';
import { ImportRepository } from './import.repository.js';
import type { ImportStep } from './import.service.js';
import { ImportWriter } from './import.writer.js';

/** The kinds of runs: the check of the file, a part of its rows, and the report at the end. */
@Injectable()
export class ImportSteps {
  constructor(
    private readonly roles: MemberRoles,
    private readonly checker: ImportChecker,
    private readonly writer: ImportWriter,
    private readonly files: ImportFiles,
    private readonly repository: ImportRepository,
  ) {}

  /** @param end notes the result and ends the job until the import runs */
  async check(job: ImportJob, signal: AbortSignal, end: (step: ImportStep) => Promise<void>): Promise<void> {
    const { log, ...checked } = await this.checker.check(job, await this.#callerOf(job), signal);
    const report_key = await this.files.putReport(job, log.stored);
    await this.#note([...checked.parts, ...(report_key === null ? [] : [report_key])], () =>
      end({ ...checked, faults: log.stored, faults_count: log.count, report_key }),
    );
  }

  /** @param write runs the work and what ends the run in one transaction */
  async addPart(
    job: ImportJob & { readonly part: string },
    write: (work: (tx: EntityManager) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const [caller, rows] = [await this.#callerOf(job), await this.files.readPart(job.part)];
    await write(async (tx) => {
      if (job.parts_count > 1) await this.repository.beginPart(tx);
      await this.repository.addPart(tx, job, await this.writer.write(job, caller, rows, tx));
    });
  }

  /** Stores the report of all faults, and deletes the parts. */
  async complete(job: ImportJob, faults: readonly Fault[], end: (step: ImportStep) => Promise<void>): Promise<void> {
    const report_key = await this.files.putReport(job, faults);
    await this.#note(report_key === null ? [] : [report_key], () => end({ state: 'completed', report_key }));
    await this.files.deleteOthers(job, report_key);
  }

  /** The creator with the current roles. @throws {JobFailure} when they do not allow imports */
  async #callerOf({ site_id, created_by: member_id, created_at }: ImportJob): Promise<Caller> {
    const roles = await this.roles.of({ site_id }, member_id);
    if (!isAdministrator({ roles })) throw forbidden(created_at, Date.now());
    return { site_id, member_id, roles };
  }

  /** Files that nothing notes are deleted at once, if the run lives so long. */
  async #note(keys: readonly string[], note: () => Promise<void>): Promise<void> {
    try {
      await note();
    } catch (error) {
      if (error instanceof LostLease) await this.files.delete(keys);
      throw error;
    }
  }
}
