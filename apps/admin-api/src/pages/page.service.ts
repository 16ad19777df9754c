import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { Pager, cleanDescription } from '@lyceum/rest';
import type { Page as ListPage } from '@lyceum/rest';
import type { PageListQuery } from './page.api.schema.js';
import { PageRepository } from './page.repository.js';
import type { LivePage, Page } from './page.repository.js';
import type { PageDeclaration } from './page.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class PageService {
  constructor(
    private readonly pages: PageRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: PageListQuery): Promise<ListPage<Page>> {
    const list = { collection: 'pages', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.pages.list(principal, query, after));
  }

  async get(principal: Principal, id: string): Promise<Page> {
    const row = await this.pages.find(principal, id);
    if (row === undefined) throw new Outcome('not_found', 'There is no such page at this site');
    return row;
  }

  async getLive(site: Site, slug: string): Promise<LivePage> {
    const page = await this.pages.findLive(site, slug);
    if (page === undefined) throw new Outcome('not_found', 'There is no such page at this site');
    return page;
  }

  /** Makes the page, with one deployment, unless the site has one of that slug. */
  declare(principal: Principal, declared: PageDeclaration): Promise<void> {
    const page = {
      ...declared,
      path_prefix: `/pages/${declared.slug}`,
      bytes: Buffer.byteLength(declared.content_html),
      content_html: cleanDescription(declared.content_html),
      created_by: principal.client_id,
    };
    return this.outbox.transaction((tx) => this.pages.insert(tx, principal, page));
  }
}
