import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import type { SiteAppearance } from './appearance.js';

/** `sites.repository.ts` reads it with the row of the site. */
@Injectable()
export class AppearancesRepository {
  /** Ignores a state that is not newer than the stored one. Fails for an unknown site. */
  async save(
    manager: EntityManager,
    site_id: string,
    appearance: SiteAppearance & { readonly epoch: number },
  ): Promise<void> {
    const { epoch, version, theme, logo_url, favicon_url } = appearance;
    await rows(
      manager,
      `INSERT INTO site_appearances AS a (site_id, version, theme, logo_url, favicon_url, epoch) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (site_id) DO UPDATE SET epoch = excluded.epoch, version = excluded.version, theme = excluded.theme,
              logo_url = excluded.logo_url, favicon_url = excluded.favicon_url
        WHERE (a.epoch, a.version) < (excluded.epoch, excluded.version)`,
      [site_id, version, JSON.stringify(theme), logo_url, favicon_url, epoch],
    );
  }
}
