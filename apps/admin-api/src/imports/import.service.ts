import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Fence, Key, SiteStore, Written } from '@lyceum/collections';
import { importEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { currentActor } from '@lyceum/platform';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actsForSite } from '#src/access/administrator.policy.js';
import { AccessService } from '#src/enrollments/access.service.js';
import { expiryAt, requireRoom } from '#src/file-jobs/file-job.policy.js';
import { exceptOf } from '#src/file-jobs/job-rows.js';
import type { JobKey } from '#src/file-jobs/job-rows.js';
import { FileService } from '#src/files/file.service.js';
import { hiddenFrom, requireOptions, requireWriter } from './import.access.policy.js';
import { requireMapping } from './import.columns.policy.js';
import { Import } from './import.entity.js';
import { ImportFiles, unlinked } from './import.files.js';
import type { LinkedImport } from './import.files.js';
import { IMPORT_KINDS } from './import.kinds.js';
import { isOpen, requireCancelable, requirePlace, startsRun } from './import.policy.js';
import { ImportRepository } from './import.repository.js';
import { imported as resource } from './import.schema.js';
import type { ImportCreate, ImportListQuery, ImportRun } from './import.schema.js';

type Outcome = 'checking' | 'previewed' | 'invalid' | 'completed' | 'failed';

/** How a job goes on: its next state, with the columns that the step sets. */
export type ImportStep = { readonly state: Outcome } & Partial<
  Pick<Import, 'error' | 'rows_total' | 'preview' | 'faults' | 'faults_count' | 'report_key' | 'parts'>
>;

/** Imports are for owners and admins. An import is hidden from tokens without a scope of its collection. */
function fence(caller: Caller): Fence | undefined {
  if (!actsForSite(caller)) return { condition: 'false' };
  const readable = exceptOf(hiddenFrom(caller));
  return readable === '' ? undefined : { condition: readable };
}

/** Imports from their request until their deletion. They are for owners and admins. */
@Injectable()
export class ImportService {
  readonly #imports: SiteStore<Import, typeof importEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: ImportRepository,
    private readonly files: ImportFiles,
    private readonly uploads: FileService,
    private readonly access: AccessService,
  ) {
    this.#imports = stores.of({
      entity: Import,
      resource,
      fence,
      events: importEvents,
      data: ({ id: import_id, site_id, created_by, collection, format, state, ...row }, event) => ({
        import_id,
        site_id,
        created_by,
        collection,
        format,
        state: event === 'deleted' ? 'deleted' : state,
        rows_total: row.rows_total,
        rows_created: row.rows_created,
        rows_updated: row.rows_updated,
        rows_failed: row.rows_failed,
      }),
    });
  }

  list(caller: Caller, query: ImportListQuery): Promise<Page<Import>> {
    return this.#imports.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<LinkedImport> {
    return this.files.linked(await this.#imports.get(caller, id));
  }

  /**
   * @throws `insufficient_scope` of the collection, `validation_failed` for an unusable upload, option or mapping,
   *   `invalid_state` at the limit of the site
   */
  async create(caller: Principal, input: ImportCreate, tx: EntityManager): Promise<Created<LinkedImport>> {
    requireWriter(input.collection, caller);
    requireOptions(input);
    requirePlace(input);
    requireMapping(input, IMPORT_KINDS[input.collection]);
    const file = { id: input.upload_id, purpose: 'import' } as const;
    if (!(await this.uploads.isReady(caller, file, tx))) throw noUpload();
    if (input.course_id !== null) {
      await this.access.requirePlace(caller, { course_id: input.course_id, plan_id: input.plan_id }, tx);
    }
    requireRoom(await this.repository.count(tx, caller), 'imports');
    const via = currentActor()?.via ?? 'rest';
    const made = { created_by: caller.member_id, client_id: caller.client_id, via, expires_at: expiryAt(Date.now()) };
    const { row, ...created } = await this.#imports.insert(tx, caller, { ...input, ...made }, 'created');
    return { ...created, row: unlinked(row) };
  }

  /** Lets the job of a previewed import write its rows. */
  async run(caller: Caller, key: Key, { skip_invalid }: ImportRun, tx: EntityManager): Promise<Written<LinkedImport>> {
    const { row, changed } = await this.#imports.change(tx, caller, key, (one) => {
      requireWriter(one.collection, caller);
      if (!startsRun(one, skip_invalid)) return undefined;
      const now = new Date();
      const due = { due_at: now, attempts: 0, ended_at: null, expires_at: expiryAt(now.getTime()) };
      return { event: 'started', changes: { state: 'running', rows_failed: one.preview?.rows_failed ?? 0, ...due } };
    });
    return { row: await this.files.linked(row), changed };
  }

  async cancel(caller: Caller, key: Key, tx: EntityManager): Promise<Written<LinkedImport>> {
    const { row, changed } = await this.#imports.change(tx, caller, key, ({ collection, state }) => {
      requireWriter(collection, caller);
      requireCancelable(state);
      if (state === 'canceled') return undefined;
      return { event: 'canceled', changes: { state: 'canceled', ended_at: new Date() } };
    });
    return { row: await this.files.linked(row), changed };
  }

  /** Publishes a step of the job. False: the import was canceled meanwhile. */
  async advance(tx: EntityManager, { site_id, id }: JobKey, { state, ...change }: ImportStep): Promise<boolean> {
    const row = await this.#imports.findLocked(tx, { site_id }, { id });
    if (row === undefined || !isOpen(row.state)) return false;
    const now = new Date();
    const changes = { ...change, state, expires_at: expiryAt(now.getTime()), updated_at: now };
    await this.#imports.change(tx, { site_id }, row, () => ({ event: state, changes }));
    return true;
  }

  /** The faults of a running import, for its report. */
  async faultsOf({ site_id, id }: JobKey): Promise<Import['faults']> {
    return (await this.#imports.get({ site_id }, id)).faults;
  }

  /** Deletes an import whose time is over. Its files are to be deleted after that. */
  async removeExpired(tx: EntityManager): Promise<JobKey | undefined> {
    const expired = await this.repository.lockExpired(tx);
    if (expired === undefined) return undefined;
    await this.#imports.remove(tx, { site_id: expired.site_id }, { id: expired.id });
    return expired;
  }

  republication(): Republication<typeof importEvents> {
    return this.#imports.republication();
  }
}

function noUpload(): ApiError {
  const detail = 'The id of an upload with the purpose import and the state ready';
  return new ApiError('validation_failed', 'This site has no such file to import', {
    errors: [{ pointer: '/upload_id', code: 'not_found', detail }],
  });
}
