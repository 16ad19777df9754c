import type { Principal, Site as SiteEntry } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { SiteDirectory } from '@lyceum/resource-server';
import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SchoolRepository } from './school.repository.js';
import type { SchoolDeclaration, SchoolProfile } from './school.schema.js';

type Site = Pick<Principal, 'site_id'>;

const UNSET = {
  locale: null,
  timezone: null,
  currency: null,
  contact_email: null,
  support_url: null,
  terms_url: null,
  privacy_url: null,
};

@Injectable()
export class SchoolService {
  constructor(
    private readonly schools: SchoolRepository,
    private readonly outbox: Outbox,
    // Subcommands run without the directory and show no profile.
    @Optional() private readonly sites?: SiteDirectory,
  ) {}

  /** Name and URL come from the directory, the other members from the settings. */
  async profile(site: Site): Promise<SchoolProfile> {
    const { org_id: id, name, base_url } = this.site(site);
    return { ...UNSET, id, name, url: base_url, ...(await this.schools.find(site)) };
  }

  /** The currency of prices. Null: the school has set none. */
  currency(site: Site, tx: EntityManager): Promise<string | null> {
    return this.schools.currency(site, tx);
  }

  /** @throws `unknown_host` for a site that is not active. */
  site({ site_id }: Site): SiteEntry {
    const site = this.sites?.byId(site_id);
    if (site?.state !== 'active') throw new ApiError('unknown_host', 'This site does not exist');
    return site;
  }

  /** Sets the profile of a school that has none. */
  declare(site: Site, declared: SchoolDeclaration): Promise<void> {
    return this.outbox.transaction((tx) => this.schools.insert(tx, site, declared));
  }
}
