import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of people read all members of a site to find those of a role or a state. */
export class FiltersOfMembers1795987200030 implements MigrationInterface {
  readonly name = 'FiltersOfMembers1795987200030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the list of people in the admin area by state.
      create index site_members_by_state on site_members (site_id, state, joined_at, member_id) where state <> 'removed';
      -- Serves the list of people in the admin area by a role other than student.
      create index site_members_of_staff on site_members (site_id, joined_at, member_id)
        where state <> 'removed' and roles <> '{student}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index site_members_by_state, site_members_of_staff');
  }
}
