import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement, pageStatement } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import type { LecturerListQuery } from './lecturer.api.schema.js';
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

/** A row of `lecturers`, without the bio. */
export interface LecturerSummary extends Omit<VisibleLecturer, 'bio_html'> {
  readonly email: string | null;
  readonly person_id: string | null;
  readonly position: number;
  readonly visible: boolean;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export type Lecturer = LecturerSummary & Pick<VisibleLecturer, 'bio_html'>;

const SUMMARY = `id, slug, name, title, avatar_url, email, person_id, social_links, position, visible, version, created_at,
  updated_at`;

@Injectable()
export class LecturerRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    query: LecturerListQuery,
    after: Position | undefined,
  ): Promise<(LecturerSummary & { total_count?: number })[]> {
    const where = new Where(site).and('visible = ?', query.visible);
    where.words('name', query.q);
    where.range('created_at', query);
    const statement = listStatement({ columns: SUMMARY, table: 'lecturers', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, id: string): Promise<Lecturer | undefined> {
    const [row] = await this.sql.query<Lecturer>(
      {
        name: 'lecturers_find',
        text: `select ${SUMMARY}, bio_html from lecturers where site_id = $1 and id = $2`,
      },
      [site.site_id, id],
    );
    return row;
  }

  /** By name. */
  listVisible(
    site: Site,
    { q, limit }: { readonly q: string | undefined; readonly limit: number },
    after: Position | undefined,
  ): Promise<VisibleLecturer[]> {
    const where = new Where(site).also('visible').words('name', q);
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
