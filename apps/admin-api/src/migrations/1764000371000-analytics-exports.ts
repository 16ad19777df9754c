import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = `'students', 'enrollments', 'progress', 'orders', 'form_submissions', 'members', 'activity'`;
const ADDED = `'analytics_revenue', 'analytics_funnel', 'analytics_memberships', 'analytics_cohorts', 'analytics_attendance'`;

/** Exports of the figures of analytics. */
export class AnalyticsExports1764000371000 implements MigrationInterface {
  name = 'AnalyticsExports1764000371000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checked(`${BEFORE}, ${ADDED}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from exports where collection in (${ADDED})`);
    await runner.query(checked(BEFORE));
  }
}

function checked(collections: string): string {
  return `alter table exports drop constraint exports_collection_check;
    alter table exports add constraint exports_collection_check check (collection in (${collections}))`;
}
