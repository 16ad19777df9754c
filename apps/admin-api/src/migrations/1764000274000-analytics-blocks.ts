import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEVELS, markAll, MARKED_HOURS, sumOf } from './1764000258000-analytics-hours.js';

/** Sums of the rollups by four hours, for reports of long ranges (ADR 124). */
export class AnalyticsBlocks1764000274000 implements MigrationInterface {
  name = 'AnalyticsBlocks1764000274000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, key, sums] of LEVELS) {
      await runner.query(`
        create table ${table}_blocks (like ${table}_hours including all);
        -- Start of four hours of UTC
        alter table ${table}_blocks rename column hour to block;
        insert into ${table}_blocks (site_id, block, ${[...key, ...sums].join(', ')})
        select site_id, date_bin('4 hours', hour, '2000-01-01T00:00:00Z'), ${[...key, ...sums.map(sumOf)].join(', ')}
        from ${table}_hours group by ${['site_id', '2', ...key].join(', ')} order by 1, 2
      `);
    }
    await runner.query(
      markAll(`${MARKED_HOURS}
          union select site_id, 'sales', block from analytics_sales_blocks
          union select site_id, 'enrollments', block from analytics_enrollments_blocks
          union select site_id, 'memberships', block from analytics_memberships_blocks
          union select site_id, 'attendance', block from analytics_attendance_blocks`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(markAll(MARKED_HOURS));
    await runner.query(`
      drop table analytics_sales_blocks, analytics_enrollments_blocks, analytics_memberships_blocks,
        analytics_attendance_blocks
    `);
  }
}
