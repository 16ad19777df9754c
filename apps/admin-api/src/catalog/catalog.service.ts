import type { Principal } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { Pager } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { CatalogRepository } from './catalog.repository.js';
import type { CatalogQuery, CatalogRow } from './catalog.repository.js';

@Injectable()
export class CatalogService {
  constructor(
    private readonly catalog: CatalogRepository,
    private readonly pager: Pager,
  ) {}

  /** The number of public courses, counted up to a bound. */
  countCourses(site: Pick<Principal, 'site_id'>, atMost: number): Promise<number> {
    return this.catalog.countCourses(site, atMost);
  }

  /** The public items. */
  search(
    site: Pick<Principal, 'site_id'>,
    query: CatalogQuery & { readonly cursor: string | undefined },
  ): Promise<Page<CatalogRow>> {
    const list = { collection: 'catalog', site_id: site.site_id };
    return this.pager.page(list, { ...query, sort: 'name' }, (after) => this.catalog.list(site, query, after));
  }
}
