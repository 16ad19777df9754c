import { onDatabase } from './database.ts';

/** Categories of each site. Each course is in one of them. */
const CATEGORIES = 10;

/** Inserts courses at each site in the order of their time, as operators create them. */
export async function fillCourses(databaseUrl: string, siteIds: readonly string[], each: number): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO courses (site_id, slug, name, subtitle, description_html, image_url, tags, state, published_at,
                            created_at, updated_at)
       SELECT site_id, 'filled-' || n, 'Course ' || n || ' "harbor"', 'Light, water and patience',
              repeat('<p>Eight weeks of painting with water.</p>', 6), 'https://cdn.example/' || n || '.jpg',
              '{art,beginners}', 'published', at, at, at
         FROM generate_series(1, $2::int) n
        CROSS JOIN unnest($1::uuid[]) site_id
        CROSS JOIN LATERAL (SELECT now() - make_interval(mins => $2 - n) AS at) made`,
      [siteIds, each],
    );
    await client.query(
      `WITH category AS (
         INSERT INTO categories (site_id, slug, name, position)
         SELECT site_id, 'filled-' || n, 'Category ' || n, n
           FROM unnest($1::uuid[]) site_id CROSS JOIN generate_series(0, ${CATEGORIES - 1}) n
         RETURNING site_id, id, position)
       INSERT INTO course_categories (site_id, course_id, category_id, position)
       SELECT site_id, c.id, category.id, 1
         FROM courses c JOIN category USING (site_id)
        WHERE c.slug LIKE 'filled-%' AND category.position = split_part(c.slug, '-', 2)::int % ${CATEGORIES}`,
      [siteIds],
    );
    await client.query('VACUUM (ANALYZE) courses, categories, course_categories');
  });
}

/** Ids of `count` courses of a site that `fillCourses` inserted there, spread evenly over all `filled`. */
export async function courseIds(databaseUrl: string, siteId: string, filled: number, count: number): Promise<string[]> {
  const slugs = Array.from({ length: count }, (_, n) => `filled-${1 + Math.floor((n * filled) / count)}`);
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM courses WHERE site_id = $1 AND slug = ANY($2) ORDER BY slug',
      [siteId, slugs],
    );
    if (rows.length !== count) throw new Error(`${rows.length} courses instead of ${count}`);
    return rows.map(({ id }) => id);
  });
}
