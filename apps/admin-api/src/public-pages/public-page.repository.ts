import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';

interface Asked {
  readonly site_id: string;
  readonly slug: string;
  readonly paths: readonly string[];
}

/** A file of the live deployment of a published page. */
export interface PublicPageFile {
  readonly deployment_id: string;
  readonly path: string;
  readonly content_type: string;
  readonly sha256: string;
  readonly bytes: number;
}

@Injectable()
export class PublicPageRepository {
  constructor(private readonly sql: Sql) {}

  /** The files that everyone may read now. */
  files({ site_id, slug, paths }: Asked): Promise<PublicPageFile[]> {
    const text = `select f.deployment_id, f.path, f.content_type, f.sha256, octet_length(f.content) as bytes
      from pages p join page_files f on f.site_id = p.site_id and f.deployment_id = p.live_deployment_id
      where p.site_id = $1 and p.slug = $2 and p.state = 'published' and f.path = any ($3)`;
    return this.sql.query<PublicPageFile>({ name: 'page_files_public', text }, [site_id, slug, paths]);
  }

  /** Undefined: the deployment was deleted meanwhile. */
  async content(
    { site_id }: Pick<Asked, 'site_id'>,
    { deployment_id, path }: PublicPageFile,
  ): Promise<Buffer | undefined> {
    const text = 'select content from page_files where site_id = $1 and deployment_id = $2 and path = $3';
    const values = [site_id, deployment_id, path];
    const [row] = await this.sql.query<{ content: Buffer }>({ name: 'page_files_content', text }, values);
    return row?.content;
  }
}
