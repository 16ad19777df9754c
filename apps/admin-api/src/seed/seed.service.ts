import { Injectable } from '@nestjs/common';
import { CatalogSeed } from './catalog.seed.js';
import { commandLine } from './command-line.js';
import { EnrollmentSeed } from './enrollment.seed.js';
import { HoldingsSeed } from './holdings.seed.js';
import { ProfileSeed } from './profile.seed.js';
import type { Seed } from './seed.schema.js';

/** Makes what a declaration says and is not there yet, by the services that the API calls. Changes nothing that is there. */
@Injectable()
export class SeedService {
  constructor(
    private readonly profile: ProfileSeed,
    private readonly enrollments: EnrollmentSeed,
    private readonly catalog: CatalogSeed,
    private readonly holdings: HoldingsSeed,
  ) {}

  async apply(seed: Seed): Promise<void> {
    for (const site of seed.sites) {
      const principal = commandLine(site.site_id);
      await this.profile.apply(principal, site);
      await this.enrollments.apply(principal, site);
      await this.catalog.apply(principal, site);
      await this.holdings.apply(principal, site);
    }
  }
}
