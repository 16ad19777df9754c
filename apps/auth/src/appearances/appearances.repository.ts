import { Injectable } from '@nestjs/common';
import type { StateVersion } from '@lyceum/contracts';
import { writeNewest } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { SiteAppearance } from './appearance.js';

/** `sites.repository.ts` reads it with the row of the site. */
@Injectable()
export class AppearancesRepository {
  /** Ignores a state that is not newer than the stored one. Fails for an unknown site. */
  async save(manager: EntityManager, site_id: string, appearance: SiteAppearance & StateVersion): Promise<void> {
    const { epoch, version, theme, logo_url, favicon_url } = appearance;
    const row = { site_id, epoch, version, theme, logo_url, favicon_url };
    await writeNewest(manager, { table: 'site_appearances', key: ['site_id'] }, [row]);
  }
}
