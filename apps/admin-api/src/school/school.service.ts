import type { Principal, Site as SiteEntry } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { SchoolRepository } from './school.repository.js';
import type { SchoolDeclaration, SchoolProfile } from './school.schema.js';

type Site = Pick<Principal, 'site_id'>;

const UNSAID = {
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
  ) {}

  /** A site has its name and URL from the directory; the rest when the school has said it. */
  async profile(site: Pick<SiteEntry, 'site_id' | 'name' | 'base_url'>): Promise<SchoolProfile> {
    const school = await this.schools.find(site);
    return { ...UNSAID, name: site.name, url: site.base_url, ...school };
  }

  /** Says it unless the school has said something already. */
  declare(site: Site, declared: SchoolDeclaration): Promise<void> {
    return this.outbox.transaction((tx) => this.schools.insert(tx, site, declared));
  }
}
