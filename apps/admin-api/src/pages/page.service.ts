import { SiteStores } from '@lyceum/collections';
import type { SiteStore } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { cleanDescription } from '@lyceum/rest';
import type { Page as ListPage } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { Page } from './page.entity.js';
import { PageRepository } from './page.repository.js';
import type { LivePage } from './page.repository.js';
import { page as resource } from './page.schema.js';
import type { PageDeclaration, PageListQuery } from './page.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class PageService {
  readonly #pages: SiteStore<Page, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: PageRepository,
    private readonly outbox: Outbox,
  ) {
    this.#pages = stores.of({ entity: Page, resource });
  }

  list(site: Site, query: PageListQuery): Promise<ListPage<Page>> {
    return this.#pages.list(site, query);
  }

  get(site: Site, id: string): Promise<Page> {
    return this.#pages.get(site, id);
  }

  async getLive(site: Site, slug: string): Promise<LivePage> {
    return (await this.repository.findLive(site, slug)) ?? this.#pages.missing();
  }

  /** Creates the page with one deployment unless the site has one with the slug. */
  declare(principal: Principal, declared: PageDeclaration): Promise<void> {
    const page = {
      ...declared,
      path_prefix: `/pages/${declared.slug}`,
      bytes: Buffer.byteLength(declared.content_html),
      content_html: cleanDescription(declared.content_html),
      created_by: principal.client_id,
    };
    return this.outbox.transaction((tx) => this.repository.insert(tx, principal, page));
  }
}
