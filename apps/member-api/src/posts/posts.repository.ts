import { Injectable } from '@nestjs/common';
import { postEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '#src/read-models/rows-of.js';
import { nodes, notificationSubject } from '#src/reading/source-catalog.js';
import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';

export type PostEvent = EventOf<[typeof postEvents]>;

/** The published post that `id` of another row refers to. */
const postOf = (id: string): string =>
  `posts o where o.post_id = ${id} and o.site_id = :site and o.state = 'published'`;

/** The post of a notification. A post of a course is visible only to members enrolled in the course. */
const notifiedPostOf = (id: string): string => `${postOf(id)} and exists (
  select from notifications n where n.site_id = :site and n.person_id = :person and n.subject_id = o.post_id)`;

export const postSources: Sources = {
  ...notificationSubject('Post', postOf),
  ...nodes({ Post: notifiedPostOf }),
  Post: {
    id: sql.id('Post', 'o.post_id'),
    slug: sql.text('o.slug'),
    title: sql.text('o.title'),
    url: sql.text(`:base_url || '/posts/' || o.slug`),
  },
};

@Injectable()
@ReadModel('posts')
export class PostsRepository {
  @Consumes(postEvents, 'posts', { table: 'posts' })
  async apply(events: readonly PostEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'posts', key: ['post_id'] },
      rowsOf(events, ['post_id', 'site_id', 'slug', 'title', 'state']),
    );
  }

  /** Those of some posts that are published. `apply` has locked their rows, so none changes in this transaction. */
  async published(postIds: readonly string[], tx: EntityManager): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ post_id: string }[]>(
      `select post_id from posts where post_id = any($1::uuid[]) and state = 'published'`,
      [postIds],
    );
    return new Set(rows.map(({ post_id }) => post_id));
  }
}
