import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The erasure of a member read all invitations. */
export class InvitationsOfPerson1795987200022 implements MigrationInterface {
  readonly name = 'InvitationsOfPerson1795987200022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the erasure of a member, and the export of the data of a person. invitations_open serves the open ones.
      create index invitations_of_person on invitations (person_id, site_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index invitations_of_person');
  }
}
