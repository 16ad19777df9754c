import pg from 'pg';

/**
 * An enrollment is not younger than its access and the progress in it. analytics counts it by `created_at`, and no
 * trigger marks the quarters of another `created_at`.
 */
const MOVE = `
  with moved as (
    update enrollments e set created_at = past.at
    from (
      select f.site_id, f.id, least(f.started_at, min(p.watched_at)) as at
      from enrollments f left join progress p on p.site_id = f.site_id and p.enrollment_id = f.id
      where f.site_id = any($1::uuid[])
      group by f.site_id, f.id
    ) past
    where e.site_id = past.site_id and e.id = past.id and past.at < e.created_at
    returning e.site_id, old.created_at as before, new.created_at as after)
  insert into analytics_marks (site_id, rollup, quarter)
  select distinct site_id, 'enrollments', analytics_quarter(at) from moved, unnest(array[before, after]) at`;

/**
 * Gives enrollments the time of the order or the progress that they are older than. A storefront records a sale when it
 * happens, and the enrollment has the time of the sale. The demo records the sales of two months at once.
 */
export async function moveEnrollments(databaseUrl: string | undefined, sites: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(MOVE, [sites]);
  } finally {
    await client.end();
  }
}
