import { Injectable } from '@nestjs/common';
import { CatalogSeed } from './catalog.seed.js';
import { commandLine } from './command-line.js';
import { DemoPurchases } from './demo-purchases.seed.js';
import { ProfileSeed } from './profile.seed.js';
import type { Seed } from './seed.schema.js';

/** Creates the missing objects of a declaration that the API cannot create yet. Existing objects stay unchanged. */
@Injectable()
export class SeedService {
  constructor(
    private readonly profile: ProfileSeed,
    private readonly catalog: CatalogSeed,
    private readonly holdings: DemoPurchases,
  ) {}

  async apply(seed: Seed): Promise<void> {
    for (const site of seed.sites) {
      const principal = commandLine(site.site_id);
      await this.profile.apply(principal, site);
      await this.catalog.apply(principal, site);
      await this.holdings.apply(principal, site);
    }
  }
}
