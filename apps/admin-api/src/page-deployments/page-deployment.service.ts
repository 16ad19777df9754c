import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import type { EntityEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { listBelow, outside } from '@lyceum/rest';
import type { Page as ListPage } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators } from '#src/access/administrator.policy.js';
import { FileQuota } from '#src/files/file.quota.js';
import { withoutStore } from '#src/files/file.storage.js';
import { INDEX } from '#src/page-bundles/page-bundle.policy.js';
import { PageBundleReader } from '#src/page-bundles/page-bundle.reader.js';
import type { BundleFile } from '#src/page-bundles/page-bundle.reader.js';
import type { Page } from '#src/pages/page.entity.js';
import { PageService } from '#src/pages/page.service.js';
import { PageDeployment } from './page-deployment.entity.js';
import {
  KEPT_DEPLOYMENTS,
  faultsOf,
  heldBy,
  previousOf,
  refusedPromotion,
  requirePromotable,
} from './page-deployment.policy.js';
import type { DeploymentFault } from './page-deployment.policy.js';
import { PageDeploymentRepository } from './page-deployment.repository.js';
import { pageDeployment as resource } from './page-deployment.schema.js';
import type { PageDeploymentCreate, PageDeploymentListQuery } from './page-deployment.schema.js';
import { textOf } from './page-text.policy.js';

interface OfPage {
  readonly page_id: string;
}

type DeploymentKey = Pick<PageDeployment, 'site_id' | 'id' | 'page_id'>;

/** Events of a page about its deployments. A promotion has an event of the page itself. */
const PAGE_EVENTS: Readonly<Record<string, 'deployed' | 'deployment_ready' | 'deployment_failed'>> = {
  created: 'deployed',
  ready: 'deployment_ready',
  failed: 'deployment_failed',
};

/** Deployments are parts of their page, which publishes their changes. Each change locks the page first. */
@Injectable()
export class PageDeploymentService {
  readonly #deployments: SiteStore<PageDeployment, EntityEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: PageDeploymentRepository,
    private readonly pages: PageService,
    private readonly bundles: PageBundleReader,
    private readonly quota: FileQuota,
  ) {
    this.#deployments = stores.of({
      entity: PageDeployment,
      resource,
      fence: forAdministrators('manage pages'),
      publishWith: async (tx, deployments, { name }) => {
        const event = PAGE_EVENTS[name];
        if (event === undefined) return;
        for (const { site_id, page_id } of deployments)
          await this.pages.announce(tx, await this.pages.lock(tx, { site_id }, page_id), event);
      },
    });
  }

  list(caller: Caller, query: PageDeploymentListQuery, of: OfPage): Promise<ListPage<PageDeployment>> {
    return listBelow(this.#deployments.list(caller, query, { ...of }), () =>
      this.pages.requireExisting(caller, of.page_id),
    );
  }

  get(caller: Caller, id: string, of: Partial<OfPage> = {}, tx?: EntityManager): Promise<PageDeployment> {
    return this.#deployments.get(caller, id, { ...of }, tx);
  }

  /** Queues a zip file. Visitors do not see the deployment before its promotion. */
  async deploy(
    caller: Caller,
    { page_id }: OfPage,
    { file_id }: PageDeploymentCreate,
    tx: EntityManager,
  ): Promise<Created<PageDeployment>> {
    const page = await this.pages.lock(tx, caller, page_id);
    if (!(await this.bundles.isReady(caller, file_id, tx))) throw unknownUpload();
    const { member_id: created_by = null } = caller;
    const values = { page_id, file_id, state: 'queued', bytes: 0, files_count: 0, created_by, ended_at: null } as const;
    const made = await this.#deployments.insert(tx, caller, values, 'created');
    const kept = { newest: KEPT_DEPLOYMENTS, ids: heldBy(page) };
    await this.quota.release(tx, caller, await this.repository.sweep(tx, page, kept));
    return made;
  }

  /** Locks the page of a job, before the job changes its deployment. @throws `not_found` for a deleted page */
  async lockPage(tx: EntityManager, { site_id, page_id }: DeploymentKey): Promise<void> {
    await this.pages.lock(tx, { site_id }, page_id);
  }

  /** Stores the files of a queued deployment of a locked page. @throws `quota_exceeded` */
  async ready(
    tx: EntityManager,
    { site_id, id }: DeploymentKey,
    files: readonly BundleFile[],
    event: 'ready' | 'promoted' = 'ready',
  ): Promise<void> {
    const row = await this.#deployments.findLocked(tx, { site_id }, { id });
    if (row?.state !== 'queued') return;
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    await this.quota.take(tx, { site_id }, bytes);
    const index = files.find(({ path }) => path === INDEX);
    await this.repository.store(tx, row, files, textOf(index?.content.toString() ?? ''));
    const changes = { state: 'ready', bytes, files_count: files.length } as const;
    await this.#deployments.change(tx, { site_id }, row, () => ({ event, changes }));
  }

  /** Records why a queued deployment of a locked page is unusable. */
  async fail(tx: EntityManager, { site_id, id }: DeploymentKey, faults: readonly DeploymentFault[]): Promise<void> {
    const row = await this.#deployments.findLocked(tx, { site_id }, { id });
    if (row?.state !== 'queued') return;
    const changes = { state: 'failed', faults } as const;
    await this.#deployments.change(tx, { site_id }, row, () => ({ event: 'failed', changes }));
  }

  /**
   * Makes a deployment live. The one that is live already stays so. A queued one is checked here, so that a client can
   * promote what it has just deployed.
   *
   * @throws `invalid_state` for a zip file that is unusable
   */
  async promote(caller: Caller, key: Key & OfPage, tx: EntityManager): Promise<Written<PageDeployment>> {
    const { page, row } = await this.#lock(tx, caller, key);
    if (row.state === 'live') return { row, changed: false };
    requirePromotable(row.state);
    if (row.state === 'queued') await this.#check(tx, row);
    await this.pages.promote(tx, page, row.id);
    return this.#changed(tx, caller, row);
  }

  /** @throws `invalid_state` unless the deployment is live and another one was live before */
  async rollBack(caller: Caller, key: Key & OfPage, tx: EntityManager): Promise<Written<PageDeployment>> {
    const { page, row } = await this.#lock(tx, caller, key);
    await this.pages.rollBack(tx, page, previousOf(row.id, page));
    return this.#changed(tx, caller, row);
  }

  /** The store of files may be slow, so no transaction waits for it. */
  async #check(tx: EntityManager, row: PageDeployment): Promise<void> {
    try {
      const files = await outside(() => this.bundles.read(row, row.file_id).catch(withoutStore));
      await this.ready(tx, row, files, 'promoted');
    } catch (error) {
      // The transaction ends with this error. The job records the faults.
      throw faultsOf(error) === undefined ? error : refusedPromotion();
    }
  }

  async #lock(
    tx: EntityManager,
    caller: Caller,
    { page_id, ...key }: Key & OfPage,
  ): Promise<{ readonly page: Page; readonly row: PageDeployment }> {
    const page = await this.pages.lock(tx, caller, page_id);
    const row = await this.#deployments.lock(tx, caller, key.id, { page_id });
    this.#deployments.requireMatch(row, key);
    return { page, row };
  }

  async #changed(tx: EntityManager, caller: Caller, { id }: PageDeployment): Promise<Written<PageDeployment>> {
    return { row: await this.#deployments.lock(tx, caller, id), changed: true };
  }
}

function unknownUpload(): ApiError {
  const detail = 'It names no upload of the purpose page_bundle that is ready';
  return new ApiError('validation_failed', 'The zip file cannot be deployed', {
    errors: [{ pointer: '/file_id', code: 'invalid_value', detail }],
  });
}
