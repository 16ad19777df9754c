import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A profile for each membership. The columns of `people` stay for rows of the previous release, whose name is null
 * here; the next release removes them.
 */
export class MemberProfiles1763960000001 implements MigrationInterface {
  readonly name = 'MemberProfiles1763960000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table site_members
        add column name text,
        add column picture text,
        add column locale text,
        -- E.164.
        add column phone text`);
    await runner.query(`
      -- The next version, so that a republication reaches readers that have the one before.
      update site_members m set name = p.name, picture = p.picture, locale = p.locale, version = m.version + least(m.version, 1)
        from people p where p.person_id = m.person_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table site_members drop column name, drop column picture, drop column locale, drop column phone`);
  }
}
