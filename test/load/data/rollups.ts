import type pg from 'pg';

/** Rollups by the columns with the instants at which their times begin. */
const COLUMNS: Readonly<Record<string, string>> = {
  analytics_membership_months: 'month',
  ...Object.fromEntries(
    ['sales', 'enrollments', 'memberships', 'attendance'].flatMap((name) => [
      [`analytics_${name}`, 'quarter'],
      [`analytics_${name}_hours`, 'hour'],
      [`analytics_${name}_blocks`, 'block'],
    ]),
  ),
};
/** Blocks of four hours and months of UTC stay such. */
const YEAR: Readonly<Record<string, string>> = { month: '1 year' };
const DAYS = '365 days';

/** Copies the figures of the last year to the one before, which then has as many rows of each rollup. */
export async function copyYear(client: pg.Client, siteId: string): Promise<void> {
  for (const [table, column] of Object.entries(COLUMNS)) {
    await client.query(`CREATE TEMP TABLE copied AS SELECT * FROM ${table} WHERE site_id = '${siteId}'`);
    await client.query(`UPDATE copied SET ${column} = ${column} - interval '${YEAR[column] ?? DAYS}'`);
    await client.query(`INSERT INTO ${table} SELECT * FROM copied ON CONFLICT DO NOTHING`);
    await client.query('DROP TABLE copied');
  }
  await client.query(`VACUUM (ANALYZE) ${Object.keys(COLUMNS).join(', ')}, analytics_cohorts, analytics_marks`);
}
