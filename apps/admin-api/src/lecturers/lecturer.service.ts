import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { Pager, cleanDescription } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import type { LecturerListQuery } from './lecturer.api.schema.js';
import { LecturerRepository } from './lecturer.repository.js';
import type { Lecturer, LecturerSummary, VisibleLecturer } from './lecturer.repository.js';
import type { LecturerDeclaration } from './lecturer.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class LecturerService {
  constructor(
    private readonly lecturers: LecturerRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: LecturerListQuery): Promise<Page<LecturerSummary>> {
    const list = { collection: 'lecturers', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.lecturers.list(principal, query, after));
  }

  async get(principal: Principal, id: string): Promise<Lecturer> {
    const row = await this.lecturers.find(principal, id);
    if (row === undefined) throw new Outcome('not_found', 'There is no such lecturer at this site');
    return row;
  }

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
