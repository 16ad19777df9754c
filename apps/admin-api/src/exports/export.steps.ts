import { LostLease } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExportFiles } from './export.files.js';
import { requireFit } from './export.policy.js';
import type { ExportJob } from './export.queue.js';
import { ExportReader } from './export.reader.js';
import { ExportRepository } from './export.repository.js';

/** Runs one step of a job: it adds a part, or joins all parts. */
@Injectable()
export class ExportSteps {
  constructor(
    private readonly outbox: Outbox,
    private readonly reader: ExportReader,
    private readonly files: ExportFiles,
    private readonly repository: ExportRepository,
  ) {}

  /** @param again ends the run in the transaction that records the part */
  async addPart(job: ExportJob, signal: AbortSignal, again: (tx: EntityManager) => Promise<void>): Promise<void> {
    const { text, ...part } = await this.reader.read(job, signal);
    requireFit(job.bytes, part.bytes);
    const key = await this.files.put(job, job.format, text.pieces);
    this.reader.release(text);
    await this.#record(key, () =>
      this.outbox.transaction(async (tx) => {
        await this.repository.addPart(tx, job, key, part);
        await again(tx);
      }),
    );
  }

  /** @param ready records the file of the export and ends the job */
  async join(job: ExportJob, signal: AbortSignal, ready: (key: string) => Promise<void>): Promise<void> {
    const key = await this.files.join(job, job.parts, signal);
    await this.#record(key, () => ready(key));
    await this.files.delete(job.parts);
  }

  /** Records a file. Deletes it if the lease was lost, because no row then refers to it. */
  async #record(key: string, record: () => Promise<void>): Promise<void> {
    try {
      await record();
    } catch (error) {
      if (error instanceof LostLease) await this.files.delete([key]);
      throw error;
    }
  }
}
