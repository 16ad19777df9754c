import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { pageEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { changedColumns } from '@lyceum/rest';
import type { Page as ListPage } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators, requireAdministrator } from '#src/access/administrator.policy.js';
import { FileQuota } from '#src/files/file.quota.js';
import { transitionOf } from '#src/publication/publication.policy.js';
import { SchoolService } from '#src/school/school.service.js';
import { pathPrefix } from './page-path.policy.js';
import { Page } from './page.entity.js';
import { PageRepository } from './page.repository.js';
import type { LivePage } from './page.repository.js';
import { page as resource } from './page.schema.js';
import type { PageCreate, PageListQuery, PagePatch } from './page.schema.js';

/** A page with its address. */
export interface ShownPage extends Page {
  readonly url: string;
}

/** Which deployment becomes live, and which one a roll back leads to. */
interface Going {
  readonly event: 'promoted' | 'rolled_back';
  readonly live: string;
  readonly previous: string | null;
}

/** Static pages of a site. Owners and admins read and change them; teachers do not reach them. */
@Injectable()
export class PageService {
  readonly #pages: SiteStore<Page, typeof pageEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: PageRepository,
    private readonly schools: SchoolService,
    private readonly quota: FileQuota,
  ) {
    this.#pages = stores.of({
      entity: Page,
      resource,
      fence: forAdministrators('manage pages'),
      unique: { pages_slug: 'slug', pages_external_id: 'external_id' },
      events: pageEvents,
      data: ({ id: page_id, site_id, slug, title, state, live_deployment_id }, event) => ({
        page_id,
        site_id,
        slug,
        title,
        state: event === 'deleted' ? 'deleted' : state,
        live_deployment_id,
      }),
    });
  }

  async list(caller: Caller, query: PageListQuery): Promise<ListPage<ShownPage>> {
    const page = await this.#pages.list(caller, query);
    return { ...page, rows: page.rows.map((row) => this.#shown(row)) };
  }

  async get(caller: Caller, id: string): Promise<ShownPage> {
    return this.#shown(await this.#pages.get(caller, id));
  }

  /** @throws `not_found` unless the page is published and has a live deployment */
  async getLive(site: OfSite, slug: string): Promise<LivePage> {
    return (await this.repository.findLive(site, slug)) ?? this.#pages.missing();
  }

  async create(caller: Caller, input: PageCreate, tx: EntityManager): Promise<Created<ShownPage>> {
    requireAdministrator(caller, 'manage pages');
    const made = await this.#pages.insert(tx, caller, input, 'created');
    return { ...made, row: this.#shown(made.row) };
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<PageCreate, PagePatch>): Promise<Created<ShownPage>> {
    const written = await this.#pages.upsert(tx, principal, key, {
      create: () => body,
      decide: (page) => updated(page, patch),
    });
    return { ...written, row: this.#shown(written.row) };
  }

  async patch(caller: Caller, key: Key, patch: PagePatch, tx: EntityManager): Promise<Written<ShownPage>> {
    return this.#written(await this.#pages.change(tx, caller, key, (page) => updated(page, patch)));
  }

  async move(caller: Caller, key: Key, name: 'publish' | 'unpublish', tx: EntityManager): Promise<Written<ShownPage>> {
    const written = await this.#pages.change(tx, caller, key, ({ state }) => {
      const rule = transitionOf('page', state, name);
      return rule && { event: rule.event, changes: { state: rule.to } };
    });
    return this.#written(written);
  }

  /** Deletes the page with its deployments. */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<ShownPage>> {
    const page = await this.#pages.lock(tx, caller, key.id);
    const bytes = await this.repository.bytes(tx, page);
    const written = this.#written(await this.#pages.remove(tx, caller, key));
    await this.quota.release(tx, caller, bytes);
    return written;
  }

  /** Locks the page of a deployment. @throws `not_found` */
  lock(tx: EntityManager, caller: Caller, id: string): Promise<Page> {
    return this.#pages.lock(tx, caller, id);
  }

  /** @throws `not_found` */
  async requireExisting(caller: Caller, id: string): Promise<void> {
    await this.#pages.get(caller, id);
  }

  /** Publishes what became of a deployment of a locked page, which is not live yet. */
  async announce(
    tx: EntityManager,
    page: Page,
    event: 'deployed' | 'deployment_ready' | 'deployment_failed',
  ): Promise<void> {
    const { site_id } = page;
    await this.#pages.change(tx, { site_id }, page, () => ({ event, changes: {}, keepsTag: true }));
  }

  /** Makes a deployment of a locked page live. The one before it is kept for a roll back. */
  promote(tx: EntityManager, page: Page, id: string): Promise<void> {
    return this.#goLive(tx, page, { event: 'promoted', live: id, previous: page.live_deployment_id });
  }

  /** Makes the deployment live that was live before. A repetition is refused, because it would undo the roll back. */
  rollBack(tx: EntityManager, page: Page, previous: string): Promise<void> {
    return this.#goLive(tx, page, { event: 'rolled_back', live: previous, previous: null });
  }

  async #goLive(tx: EntityManager, page: Page, { event, live, previous }: Going): Promise<void> {
    const changes = { live_deployment_id: live, previous_deployment_id: previous };
    await this.#pages.change(tx, { site_id: page.site_id }, page, () => ({
      event,
      changes,
      with: () => this.repository.goLive(tx, page, live),
    }));
  }

  republication(): Republication<typeof pageEvents> {
    return this.#pages.republication();
  }

  #written({ row, changed }: Written<Page>): Written<ShownPage> {
    return { row: this.#shown(row), changed };
  }

  #shown(row: Page): ShownPage {
    return Object.assign(row, { url: `${this.schools.site(row).base_url}${pathPrefix(row)}` });
  }
}

function updated(page: Page, patch: PagePatch) {
  const changes = changedColumns(page, patch, resource);
  return changes && { event: 'updated' as const, changes };
}
