import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FREED } from './file.policy.js';
import { FileRepository } from './file.repository.js';
import { FileStorage } from './file.storage.js';

/** The storage quota of a site, for bytes outside of the store of files. */
@Injectable()
export class FileQuota {
  constructor(
    private readonly repository: FileRepository,
    private readonly storage: FileStorage,
  ) {}

  /** @throws `quota_exceeded` above the quota */
  async take(tx: EntityManager, site: OfSite, bytes: number): Promise<void> {
    const { quota } = this.storage;
    if (await this.repository.take(tx, site, bytes, quota)) return;
    throw new ApiError('quota_exceeded', 'The site has no room for the files', {
      hint: `A site has ${quota.bytes} bytes: delete pages, or abort uploads. ${FREED}`,
    });
  }

  async release(tx: EntityManager, site: OfSite, bytes: number): Promise<void> {
    if (bytes > 0) await this.repository.release(tx, site, { bytes, openUploads: 0 });
  }
}
