import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PREFIXES } from '#src/files/file.policy.js';
import type { FileStorage } from '#src/files/file.storage.js';
import type { SchoolService } from '#src/school/school.service.js';
import { FILE_JOB_LIMITS, linkPeriod } from './file-job.policy.js';
import type { JobKey } from './job-rows.js';

export const JOB_FILE_TYPES = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
export type JobFileFormat = keyof typeof JOB_FILE_TYPES;

interface LinkedFile {
  readonly site_id: string;
  readonly key: string;
  /** Without the ending of the format. */
  readonly title: string;
  readonly format: JobFileFormat;
}

/** Files of one kind of jobs. Each upload has a key of its own, so a late one of another replica replaces nothing. */
export abstract class JobFiles {
  protected constructor(
    /** Beginning of all keys. */
    private readonly top: (typeof PREFIXES)['exports' | 'imports'],
    protected readonly storage: FileStorage,
    private readonly schools: SchoolService,
  ) {}

  /** Stores a file of these pieces, and returns its key. */
  async put(job: JobKey, format: JobFileFormat, pieces: readonly Buffer[]): Promise<string> {
    const sum = createHash('sha256');
    let bytes = 0;
    for (const piece of pieces) {
      sum.update(piece);
      bytes += piece.length;
    }
    const name = this.newKey(job);
    const promised = { bytes, sha256: sum.digest('hex'), content_type: JOB_FILE_TYPES[format] };
    await this.storage.store.put(name, Readable.from(pieces), promised);
    return name;
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.storage.store.delete(key);
  }

  /** Deletes all files of a job. */
  deleteAll(job: JobKey): Promise<void> {
    return this.deleteOthers(job, null);
  }

  /** Deletes all files of a job but one. */
  async deleteOthers(job: JobKey, kept: string | null): Promise<void> {
    for await (const { key } of this.storage.store.list(this.#prefixOf(job))) {
      if (key !== kept) await this.storage.store.delete(key);
    }
  }

  /** Deletes files that are older than any job: a worker or a sweep was killed between the store and the database. */
  async deleteForgotten(signal?: AbortSignal): Promise<void> {
    const oldest = Date.now() - 3 * FILE_JOB_LIMITS.lifetimeMs;
    for await (const { key, modified_at } of this.storage.store.list(this.top)) {
      if (signal?.aborted === true) return;
      if (modified_at.getTime() < oldest) await this.storage.store.delete(key);
    }
  }

  protected link({ site_id, key, title, format }: LinkedFile): Promise<string> {
    const { from, until } = linkPeriod(Date.now());
    return this.storage.store.presignGet({
      key,
      base_url: this.schools.site({ site_id }).base_url,
      from,
      until,
      filename: `${title}.${format}`,
      content_type: JOB_FILE_TYPES[format],
    });
  }

  protected newKey(job: JobKey): string {
    return `${this.#prefixOf(job)}${randomUUID()}`;
  }

  #prefixOf({ site_id, id }: JobKey): string {
    return `${this.top}${site_id}/${id}/`;
  }
}
