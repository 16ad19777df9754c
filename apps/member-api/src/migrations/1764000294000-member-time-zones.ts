import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time zone of a member at a site, for the times in their notifications. */
export class MemberTimeZones1764000294000 implements MigrationInterface {
  readonly name = 'MemberTimeZones1764000294000';

  async up(runner: QueryRunner): Promise<void> {
    // Null until the next event of the role, and for a member who has chosen no zone.
    await runner.query('alter table memberships add column timezone text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table memberships drop column timezone');
  }
}
