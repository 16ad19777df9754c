import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The key of a row of a site. */
interface RowKey {
  readonly site_id: string;
  readonly id: string;
}

const DUE = {
  name: 'posts_due',
  text: `select site_id, id from posts where state = 'scheduled' and published_at <= $1 order by published_at limit $2`,
};

/** `$1` is the site of a post, and `$2` its id. */
export const POST_IN_USE = 'exists (select 1 from comments where site_id = $1 and commentable_id = $2)';

@Injectable()
export class PostRepository {
  constructor(private readonly sql: Sql) {}

  /** Scheduled posts of all sites whose date has come. */
  due(now: Date, limit: number): Promise<RowKey[]> {
    return this.sql.query<RowKey>(DUE, [now, limit]);
  }

  async hasPosts(tx: EntityManager, course: RowKey): Promise<boolean> {
    const text = 'select 1 from posts where site_id = $1 and course_id = $2 limit 1';
    return (await tx.query<unknown[]>(text, [course.site_id, course.id])).length > 0;
  }
}
