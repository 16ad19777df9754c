import { hash } from 'node:crypto';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BundleFile } from '#src/page-bundles/page-bundle.reader.js';
import type { PageText } from './page-text.policy.js';

interface DeploymentKey {
  readonly site_id: string;
  readonly id: string;
}

interface Kept {
  /** Number of the newest deployments that stay. */
  readonly newest: number;
  readonly ids: readonly string[];
}

@Injectable()
export class PageDeploymentRepository {
  /** Stores the files of a queued deployment, and the text of its index.html. */
  async store(
    tx: EntityManager,
    { site_id, id }: DeploymentKey,
    files: readonly BundleFile[],
    { content_html, content_cut }: PageText,
  ): Promise<void> {
    const statement = {
      name: 'page_files_insert',
      text: `insert into page_files (site_id, deployment_id, path, content_type, sha256, content)
             values ($1, $2, $3, $4, $5, $6)`,
    };
    for (const { path, content_type, content } of files) {
      await preparedQuery(tx, statement, [site_id, id, path, content_type, hash('sha256', content), content]);
    }
    const text = 'update page_deployments set content_html = $3, content_cut = $4 where site_id = $1 and id = $2';
    await tx.query(text, [site_id, id, content_html, content_cut]);
  }

  /** Deletes the other deployments of a locked page. Returns their bytes. */
  async sweep(tx: EntityManager, { site_id, id: page_id }: DeploymentKey, { newest, ids }: Kept): Promise<number> {
    const [row] = await tx.query<{ bytes: number }[]>(
      `with swept as (
         delete from page_deployments where site_id = $1 and page_id = $2 and id <> all ($3::uuid[]) and id not in (
           select id from page_deployments where site_id = $1 and page_id = $2 order by created_at desc, id desc limit $4)
         returning bytes)
       select coalesce(sum(bytes), 0)::int as bytes from swept`,
      [site_id, page_id, ids, newest],
    );
    return row?.bytes ?? 0;
  }
}
