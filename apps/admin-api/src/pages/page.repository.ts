import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PageDeclaration } from './page.schema.js';

interface Site {
  readonly site_id: string;
}

/** A public page with the content of its live deployment. */
export interface LivePage {
  readonly slug: string;
  readonly title: string;
  readonly path_prefix: string;
  readonly content_html: string;
  readonly updated_at: Date;
}

interface NewPage extends PageDeclaration {
  readonly path_prefix: string;
  readonly bytes: number;
  readonly created_by: string;
}

@Injectable()
export class PageRepository {
  constructor(private readonly sql: Sql) {}

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

  /** Inserts nothing when the slug is taken. Page and deployment name each other: the constraint is checked at commit. */
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
