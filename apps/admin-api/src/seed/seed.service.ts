import { Injectable } from '@nestjs/common';
import { commandLine } from './command-line.js';
import { ProfileSeed } from './profile.seed.js';
import type { Seed } from './seed.schema.js';

/** Creates the missing objects of a declaration that the API cannot create yet. Existing objects stay unchanged. */
@Injectable()
export class SeedService {
  constructor(private readonly profile: ProfileSeed) {}

  async apply(seed: Seed): Promise<void> {
    for (const site of seed.sites) await this.profile.apply(commandLine(site.site_id), site);
  }
}
