import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of members in the order in which they joined. */
export class MembersByJoinedAt1764000310500 implements MigrationInterface {
  name = 'MembersByJoinedAt1764000310500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index members_by_joined_at;
      -- GET /members with sort=joined_at and joined_at[…]
      create index members_by_joined_at on members (site_id, joined_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index members_by_joined_at;
      create index members_by_joined_at on members (site_id, joined_at);
    `);
  }
}
