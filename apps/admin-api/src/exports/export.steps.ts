import { LostLease } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExportFiles } from './export.files.js';
import { requireFit } from './export.policy.js';
import type { ExportJob } from './export.queue.js';
import { ExportReader } from './export.reader.js';
import type { ReadPart } from './export.reader.js';
import { ExportRepository } from './export.repository.js';

/** Runs one step of a job: it adds parts, or joins all parts. */
@Injectable()
export class ExportSteps {
  constructor(
    private readonly outbox: Outbox,
    private readonly reader: ExportReader,
    private readonly files: ExportFiles,
    private readonly repository: ExportRepository,
  ) {}

  /**
   * Adds the parts of a run. A part is stored while the next one is read. A run that rejects records none of them, and
   * the stored ones are deleted with the export.
   *
   * @param again ends the run in the transaction that records the parts
   */
  async addParts(job: ExportJob, signal: AbortSignal, again: (tx: EntityManager) => Promise<void>): Promise<void> {
    const added = { keys: [] as string[], bytes: 0, rows: 0, whole: false, cursor: job.cursor };
    let storing: Promise<string> | undefined;
    for await (const part of this.reader.parts(job, signal)) {
      if (storing !== undefined) added.keys.push(await storing);
      added.bytes += part.text.bytes;
      added.rows += part.rows;
      added.whole ||= part.whole;
      added.cursor = part.cursor;
      requireFit(job.bytes, added.bytes);
      storing = this.#store(job, part);
      // Its error is that of the wait for it.
      storing.catch(() => undefined);
    }
    if (storing !== undefined) added.keys.push(await storing);
    await this.#record(added.keys, () =>
      this.outbox.transaction(async (tx) => {
        await this.repository.addParts(tx, job, added);
        await again(tx);
      }),
    );
  }

  /** @param ready records the file of the export and ends the job */
  async join(job: ExportJob, signal: AbortSignal, ready: (key: string) => Promise<void>): Promise<void> {
    const key = await this.files.join(job, job.parts, signal);
    await this.#record([key], () => ready(key));
    await this.files.delete(job.parts);
  }

  async #store(job: ExportJob, { text }: ReadPart): Promise<string> {
    const key = await this.files.put(job, job.format, text.pieces);
    this.reader.release(text);
    return key;
  }

  /** Records files. Deletes them if the lease was lost, because no row then refers to them. */
  async #record(keys: readonly string[], record: () => Promise<void>): Promise<void> {
    try {
      await record();
    } catch (error) {
      if (error instanceof LostLease) await this.files.delete(keys);
      throw error;
    }
  }
}
