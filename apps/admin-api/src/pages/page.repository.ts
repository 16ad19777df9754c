import type { OfSite } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

interface PageKey extends OfSite {
  readonly id: string;
}

/** A published page with the text of its live deployment. */
export interface LivePage {
  readonly slug: string;
  readonly title: string;
  readonly content_html: string;
  /** The text goes on. */
  readonly content_cut: boolean;
  readonly updated_at: Date;
}

@Injectable()
export class PageRepository {
  constructor(private readonly sql: Sql) {}

  async findLive(site: OfSite, slug: string): Promise<LivePage | undefined> {
    const [row] = await this.sql.query<LivePage>(
      {
        name: 'pages_find_live',
        text: `select p.slug, p.title, d.content_html, d.content_cut, greatest(p.updated_at, d.updated_at) as updated_at
               from pages p
               join page_deployments d on d.site_id = p.site_id and d.page_id = p.id and d.id = p.live_deployment_id
               where p.site_id = $1 and p.slug = $2 and p.state = 'published' and d.content_html is not null`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  /** Sets the states of the deployments of a locked page, of which one goes live. */
  async goLive(tx: EntityManager, { site_id, id }: PageKey, deployment_id: string): Promise<void> {
    await tx.query(
      `update page_deployments
       set state = case when id = $3 then 'live' else 'superseded' end, version = version + 1, updated_at = now()
       where site_id = $1 and page_id = $2 and (id = $3 or state = 'live')`,
      [site_id, id, deployment_id],
    );
  }

  /** Bytes of all deployments of a locked page. */
  async bytes(tx: EntityManager, { site_id, id }: PageKey): Promise<number> {
    const text =
      'select coalesce(sum(bytes), 0)::int as bytes from page_deployments where site_id = $1 and page_id = $2';
    const [row] = await tx.query<{ bytes: number }[]>(text, [site_id, id]);
    return row?.bytes ?? 0;
  }
}
