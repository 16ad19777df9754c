import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@lyceum/errors';
import { ContentRefusal, WrongBytes, requireContent, requirePromised } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import type { File } from './file.entity.js';
import { PREFIXES, fileKey, forgottenBefore, uploadKey } from './file.policy.js';
import type { Rejection } from './file.policy.js';
import { FileRepository } from './file.repository.js';
import { FileStorage, withoutStore } from './file.storage.js';
import { PublicCopies } from './public-copies.js';

/** Larger files are hashed by the sweep, not within the request. In bytes. */
const HASHED_AT_ONCE = 32 * 1024 * 1024;

/** Milliseconds in which one request or sweep checks a file. A copy of 100 MiB in a store takes seconds. */
const LEASE_MS = 300_000;
/** Milliseconds that a request waits for the check of another one, and those between two looks. */
const WAIT_MS = 10_000;
const LOOK_MS = 100;

/** `undefined`: the file is valid. `later`: its bytes must still be hashed. */
export type Verdict = Rejection | 'later' | undefined;

interface Checked {
  readonly verdict: Verdict;
  /** The lease of the check. Undefined: another request has checked the file. */
  readonly until?: Date | undefined;
}

interface CheckOptions {
  /** Moves the file first, so that its upload link cannot change the checked bytes. */
  readonly moves: boolean;
  readonly hashesAll: boolean;
}

/** @throws `temporarily_unavailable` when the check of the locked file took longer than its lease */
export function requireChecked({ checked_until }: Pick<File, 'checked_until'>, { until }: Checked): void {
  if (until === undefined || checked_until?.getTime() !== until.getTime()) throw busy();
}

/** Compares a stored file with the announced one, and checks its content. */
@Injectable()
export class FileChecks {
  constructor(
    private readonly storage: FileStorage,
    private readonly repository: FileRepository,
    private readonly copies: PublicCopies,
  ) {}

  /** @throws `invalid_state` before the upload, `temporarily_unavailable` while the store does not respond */
  async check(file: File, options: CheckOptions): Promise<Checked> {
    try {
      return { verdict: await this.#check(file, options) };
    } catch (error) {
      if (error instanceof ContentRefusal || error instanceof WrongBytes) return { verdict: error.reason };
      return withoutStore(error);
    }
  }

  /**
   * Checks a file that no other request moves meanwhile. A lease takes the place of a lock, because a lock would keep a
   * connection to the database while the store works. Waits for the check of another request.
   */
  async checkAlone(file: File, options: CheckOptions): Promise<Checked> {
    const until = await this.#lease(file);
    if (until === undefined) return { verdict: undefined };
    try {
      return { ...(await this.check(file, options)), until };
    } catch (error) {
      await this.repository.endLease(file, until);
      throw error;
    }
  }

  /** Deletes the bytes of a file. */
  async discard(file: File): Promise<void> {
    await this.storage.store.delete(uploadKey(file));
    await this.storage.store.delete(fileKey(file));
    await this.copies.discard(file);
  }

  /** Deletes uploads without a row, and incomplete ones. A client can use a link after the sweep of its file. */
  async discardForgotten(signal?: AbortSignal): Promise<void> {
    const { store } = this.storage;
    const before = forgottenBefore(Date.now());
    await store.discardIncomplete?.(before);
    for await (const { key, modified_at } of store.list(PREFIXES.uploads)) {
      if (signal?.aborted === true) return;
      if (modified_at < before) await store.delete(key);
    }
  }

  /** Returns undefined for a file that is not open any more. */
  async #lease(file: File): Promise<Date | undefined> {
    for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
      const until = new Date(Date.now() + LEASE_MS);
      if (await this.repository.lease(file, until)) return until;
      if (!(await this.repository.hasState(file, file.state))) return undefined;
      await setTimeout(LOOK_MS);
    }
    throw busy();
  }

  async #check(file: File, { moves, hashesAll }: CheckOptions): Promise<Verdict> {
    const key = await this.#arrived(file, moves);
    const found = await this.storage.store.head(key);
    if (found?.bytes !== file.bytes) return 'size_mismatch';
    if (found.sha256 !== undefined && found.sha256 !== file.sha256) return 'sha256_mismatch';
    const { bytes, content_type } = file;
    await requireContent(this.storage.store, { key, bytes, content_type });
    await this.copies.check(file, key);
    if (found.sha256 !== undefined) return undefined;
    if (file.bytes > HASHED_AT_ONCE && !hashesAll) return 'later';
    await requirePromised(await this.storage.store.read(key), file);
    return undefined;
  }

  /** Returns the key of the uploaded file. An earlier attempt may have moved it. */
  async #arrived(file: File, moves: boolean): Promise<string> {
    const { store } = this.storage;
    const [from, to] = [uploadKey(file), fileKey(file)];
    if ((await store.head(from)) !== undefined) {
      if (!moves) return from;
      await store.move(from, to);
    } else if ((await store.head(to)) === undefined) {
      throw new ApiError('invalid_state', 'The file has not arrived', {
        hint: 'PUT its bytes to upload_url with the headers first: curl -T FILE -H "NAME: VALUE" "UPLOAD_URL"',
      });
    }
    return to;
  }
}

function busy(): ApiError {
  return new ApiError('temporarily_unavailable', 'Another request checks the file', { retryAfter: 5 });
}
