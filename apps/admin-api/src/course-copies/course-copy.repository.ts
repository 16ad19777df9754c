import { slug as slugSchema } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Course } from '#src/courses/course.entity.js';

@Injectable()
export class CourseCopyRepository {
  /**
   * Returns the first free slug of `<slug>-copy`, `<slug>-copy-2`, …. A slug at the limit loses its end. The cost grows
   * with the copies of one course, and not with the site.
   */
  async freeSlug(tx: EntityManager, { site_id, slug }: Pick<Course, 'site_id' | 'slug'>): Promise<string> {
    const [last] = await tx.query<{ slug: string }[]>(
      `with recursive candidates (n, slug) as (
         select 1, rtrim(left($2::text, $3 - length('-copy')), '-') || '-copy'
         union all
         select n + 1, rtrim(left($2::text, $3 - length('-copy-' || n + 1)), '-') || '-copy-' || n + 1
         from candidates c
         where exists (select 1 from courses where site_id = $1 and slug = c.slug)
       )
       select slug from candidates order by n desc limit 1`,
      [site_id, slug, slugSchema.maxLength],
    );
    if (last === undefined) throw new Error('A recursive statement begins with a row');
    return last.slug;
  }
}
