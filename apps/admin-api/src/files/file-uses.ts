import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actsForSite } from '#src/access/administrator.policy.js';
import { faultOf } from './file-use.policy.js';
import type { FileUser } from './file-use.policy.js';
import { FileUseRepository } from './file-use.repository.js';
import type { FileFacts, UserColumn } from './file-use.repository.js';

/** The objects that use files. The sweep deletes no file that an object uses. */
@Injectable()
export class FileUses {
  constructor(private readonly repository: FileUseRepository) {}

  /** Returns the facts of files of the site by their ids. */
  async facts(
    tx: EntityManager,
    { site_id }: Pick<Caller, 'site_id'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, FileFacts>> {
    if (ids.length === 0) return new Map();
    const files = await this.repository.facts(tx, site_id, ids);
    return new Map(files.map((file) => [file.id, file]));
  }

  /**
   * Makes objects, which the caller has locked, use exactly the named files, with one statement. A caller may use own
   * uploads and those that the object has already; owners and admins also those that any object uses. Uses of an object
   * that is deleted end with its row.
   *
   * @throws `validation_failed` for a file of another site or purpose, or one that is not ready
   */
  async replace(tx: EntityManager, caller: Caller, column: UserColumn, users: readonly FileUser[]): Promise<void> {
    const { site_id, member_id: uploader_id = null } = caller;
    const scope = { site_id, uploader_id, reuses: actsForSite(caller) };
    const refused = await this.repository.replace(tx, scope, column, users);
    if (refused.length === 0) return;
    throw new ApiError('validation_failed', 'A file cannot be used', {
      errors: refused.map(faultOf).toSorted((a, b) => a.pointer.localeCompare(b.pointer)),
    });
  }
}
