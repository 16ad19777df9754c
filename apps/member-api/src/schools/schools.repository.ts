import { Injectable } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

/** Every site where the person holds a role: the one list here that looks beyond the site of the token. */
export const schools: FieldSource = {
  kind: 'list',
  from: `membership sm JOIN site s ON s.site_id = sm.site_id
         WHERE sm.person_id = :person AND sm.roles <> '{}' AND s.state = 'active'`,
  orderBy: 's.name, s.site_id',
};

export const schoolSources: Sources = {
  ViewerSchool: {
    id: sql.uuid('s.site_id'),
    name: sql.text('s.name'),
    slug: sql.text('s.slug'),
    url: sql.text('s.base_url'),
    roles: sql.texts('sm.roles'),
    isCurrent: sql.boolean('s.site_id = :site'),
    joinedAt: sql.instant('sm.joined_at'),
  },
};

@Injectable()
export class SchoolsRepository {
  async apply(manager: EntityManager, site: Site, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO site AS old (site_id, version, base_url, name, slug, state) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (site_id) DO UPDATE
         SET version = excluded.version, base_url = excluded.base_url, name = excluded.name,
             slug = excluded.slug, state = excluded.state
         WHERE old.version < excluded.version`,
      [site.site_id, version, site.base_url, site.name, site.slug, site.state],
    );
  }
}
