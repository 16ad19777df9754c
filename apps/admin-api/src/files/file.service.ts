import type { Readable } from 'node:stream';
import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import { fileEvents } from '@lyceum/contracts';
import type { OfSite, Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { outside } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileChecks, requireChecked } from './file.checks.js';
import type { Verdict } from './file.checks.js';
import { File } from './file.entity.js';
import { FileLinks } from './file.links.js';
import type { Links } from './file.links.js';
import {
  FREED,
  POSTPONED_MS,
  UPLOAD_MS,
  fileKey,
  isOpen,
  requireAllowed,
  requireUnused,
  sweepAt,
} from './file.policy.js';
import type { FileState } from './file.policy.js';
import { FileRepository, OF_UPLOADER } from './file.repository.js';
import type { FileRow } from './file.repository.js';
import { upload as resource } from './file.schema.js';
import type { UploadCreate } from './file.schema.js';
import { FileStorage } from './file.storage.js';

/** A file with the links that its state allows. */
export type Upload = File & Links;

/** A member who uploads files. */
export type Uploader = Caller & Pick<Principal, 'member_id'>;

interface Change {
  readonly tx: EntityManager;
  readonly dryRun: boolean;
}

interface NeededFile {
  readonly id: string;
  readonly purpose: File['purpose'];
}

/** Starts, completes, aborts and deletes uploads. Callers see their own files. */
@Injectable()
export class FileService {
  readonly #files: SiteStore<File, typeof fileEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: FileRepository,
    private readonly storage: FileStorage,
    private readonly checks: FileChecks,
    private readonly links: FileLinks,
  ) {
    this.#files = stores.of({
      entity: File,
      resource,
      fence: ({ member_id }) => (member_id === undefined ? undefined : { condition: OF_UPLOADER, value: member_id }),
      events: fileEvents,
      data: ({ id: file_id, site_id, purpose, content_type, bytes, sha256, state }, event) => ({
        file_id,
        site_id,
        purpose,
        // People name files after themselves, and streams outlive a file. No consumer needs the name.
        filename: '',
        content_type,
        bytes,
        sha256,
        state: event === 'deleted' ? 'deleted' : state,
      }),
    });
  }

  async get(caller: Caller, id: string): Promise<Upload> {
    return this.links.of(await this.#files.get(caller, id));
  }

  /** @throws `validation_failed` for a file that the purpose does not accept, `quota_exceeded` above the quota */
  async create(caller: Uploader, input: UploadCreate, { tx, dryRun }: Change): Promise<Created<Upload>> {
    const filename = requireAllowed(input);
    const { site_id, member_id: uploader_id } = caller;
    const now = Date.now();
    const times = {
      expires_at: new Date(now + UPLOAD_MS),
      sweep_at: sweepAt({ purpose: input.purpose, state: 'pending' }, now),
    };
    const made = await this.repository.insert(
      tx,
      { ...input, site_id, uploader_id, filename, ...times },
      this.storage.quota,
    );
    if (made === undefined) throw this.#full();
    const row = await this.#files.lock(tx, caller, made.id);
    await this.#files.publish(tx, row, 'created');
    // A dry run leaves no row, so bytes at its link would not count toward the quota.
    return { row: dryRun ? this.links.without(row) : await this.links.of(row), changed: true, created: true };
  }

  /** Returns the id of a file of the uploader with the same bytes that can be used now. */
  async findStored(
    { site_id, member_id: uploader_id }: Uploader,
    { purpose, sha256 }: Pick<File, 'purpose' | 'sha256'>,
  ): Promise<string | undefined> {
    return (await this.repository.stored({ site_id, uploader_id, purpose, sha256 }))?.id;
  }

  async complete(caller: Caller, key: Key, { tx, dryRun }: Change): Promise<Written<Upload>> {
    const row = await this.#files.lock(tx, caller, key.id);
    this.#files.requireMatch(row, key);
    if (row.state === 'rejected') throw new ApiError('invalid_state', `The file was rejected: ${row.rejection}`);
    if (row.state !== 'pending') return { row: await this.links.of(row), changed: false };
    const options = { moves: !dryRun, hashesAll: false };
    const checked = await outside(() =>
      dryRun ? this.checks.check(row, options) : this.checks.checkAlone(row, options),
    );
    if (!dryRun) requireChecked(row, checked);
    return { row: await this.links.of(await this.#settle(tx, caller, row, checked.verdict)), changed: true };
  }

  async abort(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Upload>> {
    const row = await this.#files.lock(tx, caller, key.id);
    this.#files.requireMatch(row, key);
    if (row.state === 'rejected') return { row: await this.links.of(row), changed: false };
    requireUnused(row);
    return { row: await this.links.of(await this.#settle(tx, caller, row, 'aborted')), changed: true };
  }

  /** Returns true when the caller has uploaded the file for the purpose. */
  async isReady(caller: Caller, file: NeededFile, tx: EntityManager): Promise<boolean> {
    return (await this.#ready(caller, file, tx)) !== undefined;
  }

  /** Reads the bytes of such a file of any member, for a job; undefined without one. */
  async content({ site_id }: OfSite, needed: NeededFile): Promise<Readable | undefined> {
    const file = await this.#ready({ site_id }, needed);
    return file && this.storage.store.read(fileKey(file));
  }

  /** Finds the next large file to check. */
  nextUploaded(after: FileRow): Promise<FileRow | undefined> {
    return this.repository.nextUploaded(after);
  }

  /** Checks a large file with all its bytes. Returns the work that stores the result. */
  async recheck({ site_id, id }: FileRow): Promise<(tx: EntityManager) => Promise<void>> {
    const file = await this.#files.get({ site_id }, id);
    const checked = await this.checks.checkAlone(file, { moves: true, hashesAll: true });
    return async (tx) => {
      const row = await this.#files.lock(tx, { site_id }, id);
      if (row.state !== 'uploaded') return;
      requireChecked(row, checked);
      await this.#settle(tx, { site_id }, row, checked.verdict);
    };
  }

  /** Takes an expired file from all uses. A later sweep takes it again unless it is removed. */
  takeExpired(): Promise<FileRow | undefined> {
    return this.repository.takeExpired(new Date(Date.now() + POSTPONED_MS));
  }

  /** Deletes the bytes of a taken file. The store may be slow, so call it outside of a transaction. */
  async discard({ site_id, id }: FileRow): Promise<void> {
    await this.checks.discard(await this.#files.get({ site_id }, id));
  }

  /** Deletes a taken file, whose bytes are gone. */
  async remove(tx: EntityManager, { site_id, id }: FileRow): Promise<void> {
    const { row } = await this.#files.remove(tx, { site_id }, { id });
    await this.repository.release(tx, row, { bytes: row.bytes, openUploads: 0 });
  }

  republication(): Republication<typeof fileEvents> {
    return this.#files.republication();
  }

  async #ready(caller: Caller, { id, purpose }: NeededFile, tx?: EntityManager) {
    const file = await this.#files.find(caller, { id }, tx);
    return file?.purpose === purpose && file.state === 'ready' ? file : undefined;
  }

  async #settle(tx: EntityManager, caller: Caller, row: File, verdict: Verdict): Promise<File> {
    const state: Exclude<FileState, 'pending'> =
      verdict === undefined ? 'ready' : verdict === 'later' ? 'uploaded' : 'rejected';
    const rejection = verdict === undefined || verdict === 'later' ? null : verdict;
    const changes = {
      state,
      rejection,
      checked_until: null,
      sweep_at: sweepAt({ purpose: row.purpose, state }, Date.now()),
    };
    if (isOpen(row.state) && !isOpen(state)) await this.repository.release(tx, row, { bytes: 0, openUploads: 1 });
    return (await this.#files.change(tx, caller, row, () => ({ event: state, changes }))).row;
  }

  #full(): ApiError {
    const { bytes, openUploads } = this.storage.quota;
    return new ApiError('quota_exceeded', 'The site has no room for the file', {
      hint: `A site has ${bytes} bytes and ${openUploads} open uploads: complete or abort uploads. ${FREED}`,
    });
  }
}
