import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import type { EntityEvents } from '@lyceum/contracts';
import type { Page as ListPage } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators } from '#src/access/administrator.policy.js';
import { FileQuota } from '#src/files/file.quota.js';
import { INDEX } from '#src/page-bundles/page-bundle.policy.js';
import { PageBundleReader } from '#src/page-bundles/page-bundle.reader.js';
import type { Page } from '#src/pages/page.entity.js';
import { PageService } from '#src/pages/page.service.js';
import { PageDeployment } from './page-deployment.entity.js';
import { KEPT_DEPLOYMENTS, heldBy, previousOf } from './page-deployment.policy.js';
import { PageDeploymentRepository } from './page-deployment.repository.js';
import { pageDeployment as resource } from './page-deployment.schema.js';
import type { PageDeploymentCreate, PageDeploymentListQuery } from './page-deployment.schema.js';
import { textOf } from './page-text.policy.js';

interface OfPage {
  readonly page_id: string;
}

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
      publishWith: async (tx, deployments) => {
        for (const { site_id, page_id } of deployments)
          await this.pages.announce(tx, await this.pages.lock(tx, { site_id }, page_id));
      },
    });
  }

  async list(caller: Caller, query: PageDeploymentListQuery, of: OfPage): Promise<ListPage<PageDeployment>> {
    const page = await this.#deployments.list(caller, query, { ...of });
    // A page with rows proves that the parent exists.
    if (page.rows.length === 0) await this.pages.requireExisting(caller, of.page_id);
    return page;
  }

  get(caller: Caller, id: string, of: Partial<OfPage> = {}, tx?: EntityManager): Promise<PageDeployment> {
    return this.#deployments.get(caller, id, { ...of }, tx);
  }

  /** Unpacks a zip file. Visitors do not see the deployment before its promotion. */
  async deploy(
    caller: Caller,
    { page_id }: OfPage,
    { file_id }: PageDeploymentCreate,
    tx: EntityManager,
  ): Promise<Created<PageDeployment>> {
    const page = await this.pages.lock(tx, caller, page_id);
    const files = await this.bundles.read(caller, file_id, tx);
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    await this.quota.take(tx, caller, bytes);
    const { member_id: created_by = null } = caller;
    const values = { page_id, file_id, state: 'ready', bytes, files_count: files.length, created_by } as const;
    const made = await this.#deployments.insert(tx, caller, values, 'created');
    const index = files.find(({ path }) => path === INDEX);
    await this.repository.store(tx, made.row, files, textOf(index?.content.toString() ?? ''));
    const kept = { newest: KEPT_DEPLOYMENTS, ids: heldBy(page) };
    await this.quota.release(tx, caller, await this.repository.sweep(tx, page, kept));
    return made;
  }

  /** Makes a deployment live. The one that is live already stays so. */
  async promote(caller: Caller, key: Key & OfPage, tx: EntityManager): Promise<Written<PageDeployment>> {
    const { page, row } = await this.#lock(tx, caller, key);
    if (row.state === 'live') return { row, changed: false };
    await this.pages.promote(tx, page, row.id);
    return this.#changed(tx, caller, row);
  }

  /** @throws `invalid_state` unless the deployment is live and another one was live before */
  async rollBack(caller: Caller, key: Key & OfPage, tx: EntityManager): Promise<Written<PageDeployment>> {
    const { page, row } = await this.#lock(tx, caller, key);
    await this.pages.rollBack(tx, page, previousOf(row.id, page));
    return this.#changed(tx, caller, row);
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
