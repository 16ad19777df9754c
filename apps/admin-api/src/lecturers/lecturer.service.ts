import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { cleanDescription } from '#src/descriptions/description.policy.js';
import type { Page } from '#src/paging/page.js';
import { Pager } from '#src/paging/pager.js';
import { LecturerRepository } from './lecturer.repository.js';
import type { VisibleLecturer } from './lecturer.repository.js';
import type { LecturerDeclaration } from './lecturer.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class LecturerService {
  constructor(
    private readonly lecturers: LecturerRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  listVisible(
    site: Site,
    query: { readonly q: string | undefined; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<VisibleLecturer>> {
    const list = { collection: 'lecturers/public', site_id: site.site_id };
    return this.pager.page(list, { ...query, sort: 'name' }, (after) => this.lecturers.listVisible(site, query, after));
  }

  /** Adds the lecturer unless the site has one of that slug. */
  declare(site: Site, declared: LecturerDeclaration): Promise<void> {
    const bio_html = declared.bio_html === null ? null : cleanDescription(declared.bio_html);
    return this.outbox.transaction((tx) => this.lecturers.insert(tx, site, { ...declared, bio_html }));
  }
}
