import { ApiError } from '@lyceum/errors';
import { StoreUnavailable } from '@lyceum/storage';
import type { FileStore } from '@lyceum/storage';
import type { Quota } from './file.repository.js';

/** The file store of the deployment, and the quota of a site. */
export class FileStorage {
  constructor(
    readonly store: FileStore,
    readonly quota: Quota,
  ) {}
}

/** @throws `temporarily_unavailable` in place of an error of the store, and any other error as it is */
export function withoutStore(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error;
  throw new ApiError('temporarily_unavailable', 'The store of files does not answer', { cause: error, retryAfter: 5 });
}
