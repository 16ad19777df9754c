import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Position } from '#src/paging/cursor.js';
import { Where, likePattern, pageStatement } from '#src/paging/keyset.js';
import type { LecturerDeclaration } from './lecturer.schema.js';

interface Site {
  readonly site_id: string;
}

/** What everybody may see of a row of `lecturers`. */
export interface VisibleLecturer {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly title: string | null;
  readonly bio_html: string | null;
  readonly avatar_url: string | null;
  readonly social_links: LecturerDeclaration['social_links'];
}

@Injectable()
export class LecturerRepository {
  constructor(private readonly sql: Sql) {}

  /** By name. */
  listVisible(
    site: Site,
    { q, limit }: { readonly q: string | undefined; readonly limit: number },
    after: Position | undefined,
  ): Promise<VisibleLecturer[]> {
    const where = new Where(site).also('visible').and('name ilike ?', q === undefined ? undefined : likePattern(q));
    const statement = pageStatement({
      columns: 'id, slug, name, title, bio_html, avatar_url, social_links',
      table: 'lecturers',
      where,
      sort: { column: 'name', type: 'text' },
      descending: false,
      after,
      limit,
      withTotal: false,
    });
    return this.sql.query(statement, statement.values);
  }

  /** Nothing when the slug is taken at the site. */
  async insert(tx: EntityManager, site: Site, lecturer: LecturerDeclaration): Promise<void> {
    await tx.query(
      `insert into lecturers (site_id, slug, name, title, bio_html, avatar_url, email, social_links, position, visible)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict on constraint lecturers_slug do nothing`,
      [
        site.site_id,
        lecturer.slug,
        lecturer.name,
        lecturer.title,
        lecturer.bio_html,
        lecturer.avatar_url,
        lecturer.email,
        JSON.stringify(lecturer.social_links),
        lecturer.position,
        lecturer.visible,
      ],
    );
  }
}
