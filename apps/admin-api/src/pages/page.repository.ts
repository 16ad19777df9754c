import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import type { PageListQuery } from './page.api.schema.js';
import type { PageDeclaration } from './page.schema.js';

interface Site {
  readonly site_id: string;
}

/** A page that everybody may read, with what is deployed of it. */
export interface LivePage {
  readonly slug: string;
  readonly title: string;
  readonly path_prefix: string;
  readonly content_html: string;
  readonly updated_at: Date;
}

/** A row of `pages`. */
export interface Page {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly page_type: 'static_page';
  readonly path_prefix: string;
  readonly state: 'draft' | 'published' | 'unpublished';
  readonly live_deployment_id: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `id, slug, title, page_type, path_prefix, state, live_deployment_id, version, created_at, updated_at`;

export interface NewPage extends PageDeclaration {
  readonly path_prefix: string;
  readonly bytes: number;
  readonly created_by: string;
}

@Injectable()
export class PageRepository {
  constructor(private readonly sql: Sql) {}

  list(site: Site, query: PageListQuery, after: Position | undefined): Promise<(Page & { total_count?: number })[]> {
    const where = new Where(site).and('state = ?', query.state);
    where.range('created_at', query);
    const statement = listStatement({ columns: COLUMNS, table: 'pages', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, id: string): Promise<Page | undefined> {
    const [row] = await this.sql.query<Page>(
      {
        name: 'pages_find',
        text: `select ${COLUMNS} from pages where site_id = $1 and id = $2`,
      },
      [site.site_id, id],
    );
    return row;
  }

  async findLive(site: Site, slug: string): Promise<LivePage | undefined> {
    const [row] = await this.sql.query<LivePage>(
      {
        name: 'pages_find_live',
        text: `select p.slug, p.title, p.path_prefix, d.content_html, greatest(p.updated_at, d.updated_at) as updated_at
               from pages p
               join page_deployments d on d.site_id = p.site_id and d.page_id = p.id and d.id = p.live_deployment_id
               where p.site_id = $1 and p.slug = $2 and p.state = 'published' and d.state = 'live'
                 and d.content_html is not null`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  /** Nothing when the slug is taken at the site. Page and deployment name each other: the database looks at the end. */
  async insert(tx: EntityManager, site: Site, page: NewPage): Promise<void> {
    await tx.query(
      `with page as (
         insert into pages (site_id, slug, title, path_prefix, state, live_deployment_id)
         values ($1, $2, $3, $4, $5, uuidv7())
         on conflict on constraint pages_slug do nothing
         returning site_id, id, live_deployment_id
       )
       insert into page_deployments (site_id, id, page_id, state, content_html, bytes, files_count, created_by)
       select site_id, live_deployment_id, id, 'live', $6, $7, 1, $8 from page`,
      [
        site.site_id,
        page.slug,
        page.title,
        page.path_prefix,
        page.state,
        page.content_html,
        page.bytes,
        page.created_by,
      ],
    );
  }
}
