import { SiteStores } from '@lyceum/collections';
import type { SiteStore } from '@lyceum/collections';
import { isTeacher } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Lecturer } from './lecturer.entity.js';
import { LecturerRepository } from './lecturer.repository.js';
import { lecturer as resource } from './lecturer.schema.js';
import type { LecturerDeclaration, LecturerListQuery } from './lecturer.schema.js';

type Site = Pick<Principal, 'site_id'>;

/** From an event of auth. */
interface Member extends Pick<Principal, 'member_id' | 'roles'> {
  readonly email: string;
}

@Injectable()
export class LecturerService {
  readonly #lecturers: SiteStore<Lecturer, never>;
  /** The public list shows biographies. */
  readonly #visible: SiteStore<Lecturer, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: LecturerRepository,
    private readonly outbox: Outbox,
  ) {
    this.#lecturers = stores.of({ entity: Lecturer, resource });
    this.#visible = stores.of({
      entity: Lecturer,
      resource: { ...resource, details: [] },
      fence: () => ({ condition: 'visible' }),
    });
  }

  list(site: Site, query: LecturerListQuery): Promise<Page<Lecturer>> {
    return this.#lecturers.list(site, query);
  }

  get(site: Site, id: string): Promise<Lecturer> {
    return this.#lecturers.get(site, id);
  }

  async idOf(site: Site, slug: string): Promise<string> {
    return ((await this.#lecturers.find(site, { slug })) ?? this.#lecturers.missing()).id;
  }

  /** By name. */
  listVisible(
    site: Site,
    query: { readonly q: string | undefined; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<Lecturer>> {
    return this.#visible.list(site, { ...query, sort: 'name', include_total: false });
  }

  /** Creates the lecturer unless the site has one with the slug. */
  declare(site: Site, declared: LecturerDeclaration): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      await this.repository.insert(tx, site, declared);
      await this.repository.linkKnown(tx, { ...site, slug: declared.slug });
    });
  }

  /** Links a lecturer to the member of the address while the member has a teaching role. */
  async followRole(site: Site, { member_id, email, roles }: Member, tx: EntityManager): Promise<void> {
    const member = { site_id: site.site_id, member_id, email };
    await (isTeacher({ roles }) ? this.repository.link(tx, member) : this.repository.unlink(tx, member));
  }
}
