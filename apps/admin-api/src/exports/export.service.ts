import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Fence, Key, SiteStore, Written } from '@lyceum/collections';
import { exportEvents, isTeacher } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actsForSite } from '#src/access/administrator.policy.js';
import { expiryAt, requireRoom } from '#src/file-jobs/file-job.policy.js';
import { exceptOf } from '#src/file-jobs/job-rows.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';
import { Export } from './export.entity.js';
import { ExportFiles, unlinked } from './export.files.js';
import type { LinkedExport } from './export.files.js';
import { hiddenFrom, isOpen, requireCancelable, requireReader } from './export.policy.js';
import type { ExportError } from './export.policy.js';
import { ExportRepository, OWN_EXPORTS } from './export.repository.js';
import { exported as resource } from './export.schema.js';
import type { ExportCreate, ExportListQuery } from './export.schema.js';
import { ExportSources } from './export.sources.js';

/** A step of a job, with its event. */
type Step =
  | { readonly event: 'started' }
  | { readonly event: 'ready'; readonly file_key: string }
  | { readonly event: 'failed'; readonly error: ExportError };

/**
 * A teacher sees own exports, except files with rows from a time when the teacher was an owner or admin. An export is
 * hidden from tokens that cannot read its collection.
 */
function fence(caller: Caller): Fence | undefined {
  const readable = exceptOf(hiddenFrom(caller));
  if (actsForSite(caller)) return readable === '' ? undefined : { condition: readable };
  const { roles = [], member_id } = caller;
  if (!isTeacher({ roles })) return { condition: 'false' };
  const own = [OWN_EXPORTS, readable].filter(Boolean).join(' and ');
  return { condition: own, value: member_id };
}

/** Creates, cancels and deletes exports, and records the steps of their jobs. */
@Injectable()
export class ExportService {
  readonly #exports: SiteStore<Export, typeof exportEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: ExportRepository,
    private readonly sources: ExportSources,
    private readonly files: ExportFiles,
  ) {
    this.#exports = stores.of({
      entity: Export,
      resource,
      fence,
      events: exportEvents,
      data: ({ id: export_id, site_id, created_by, collection, format, state, rows_count }, event) => ({
        export_id,
        site_id,
        created_by,
        collection,
        format,
        state: event === 'deleted' ? 'deleted' : state,
        rows_count,
      }),
    });
  }

  list(caller: Caller, query: ExportListQuery): Promise<Page<Export>> {
    return this.#exports.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<LinkedExport> {
    return this.files.linked(await this.#exports.get(caller, id));
  }

  /** @throws `validation_failed` for a wrong or a missing filter, `invalid_state` at the limit of the site */
  async create(caller: Principal, input: ExportCreate, tx: EntityManager): Promise<Created<LinkedExport>> {
    requireReader(input.collection, caller);
    requireRoom(await this.repository.count(tx, caller), 'exports');
    const decided = await this.sources.atRequest(caller, input, tx);
    const values = { ...input, ...decided, created_by: caller.member_id, expires_at: expiryAt(Date.now()) };
    const { row, ...created } = await this.#exports.insert(tx, caller, values, 'created');
    return { ...created, row: unlinked(row) };
  }

  async cancel(caller: Caller, key: Key, tx: EntityManager): Promise<Written<LinkedExport>> {
    const { row, changed } = await this.#exports.change(tx, caller, key, ({ state }) => {
      requireCancelable(state);
      if (state === 'canceled') return undefined;
      return { event: 'canceled', changes: { state: 'canceled', ended_at: new Date() } };
    });
    return { row: unlinked(row), changed };
  }

  /** Records and publishes a step of the job. Returns false if the export has ended or was canceled. */
  async advance(tx: EntityManager, { site_id, id }: JobKey, { event, ...change }: Step): Promise<boolean> {
    const row = await this.#exports.findLocked(tx, { site_id }, { id });
    if (row === undefined || !isOpen(row.state)) return false;
    const state = event === 'started' ? 'running' : event;
    const expires_at = event === 'started' ? row.expires_at : expiryAt(Date.now());
    const changes = { ...change, state, expires_at, updated_at: new Date() } as const;
    await this.#exports.change(tx, { site_id }, row, () => ({ event, changes }));
    return true;
  }

  /** Deletes one expired export. The caller then deletes its files. */
  async removeExpired(tx: EntityManager): Promise<JobKey | undefined> {
    const expired = await this.repository.lockExpired(tx);
    if (expired === undefined) return undefined;
    await this.#exports.remove(tx, { site_id: expired.site_id }, { id: expired.id });
    return expired;
  }

  republication(): Republication<typeof exportEvents> {
    return this.#exports.republication();
  }
}
