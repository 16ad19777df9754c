import { Injectable } from '@nestjs/common';
import type { postEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';

export type PostData = z.output<(typeof postEvents)['data']>;

/** The post that another row names in `id`, while it is out. */
export const postOf = (id: string): string =>
  `post o WHERE o.post_id = ${id} AND o.site_id = :site AND o.state = 'published'`;

export const postSources: Sources = {
  Post: {
    id: sql.uuid('o.post_id'),
    slug: sql.text('o.slug'),
    title: sql.text('o.title'),
    url: sql.text(`:base_url || '/posts/' || o.slug`),
  },
};

@Injectable()
export class PostsRepository {
  async apply(manager: EntityManager, post: PostData, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO post AS old (post_id, site_id, version, slug, title, state) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (post_id) DO UPDATE
         SET version = excluded.version, slug = excluded.slug, title = excluded.title, state = excluded.state
         WHERE old.version < excluded.version`,
      [post.post_id, post.site_id, version, post.slug, post.title, post.state],
    );
  }
}
