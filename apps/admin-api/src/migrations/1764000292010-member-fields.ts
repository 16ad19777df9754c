import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tags and filters of members, and the custom fields that the members of a site can have. */
export class MemberFields1764000292010 implements MigrationInterface {
  name = 'MemberFields1764000292010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table schools add column member_fields jsonb not null default '[]';
      alter table members add column tags text[] not null default '{}';
      -- GET /members?tag=…
      create index members_tags on members using gin (site_id, tags) where tags <> '{}';
      -- joined_at[…]
      create index members_by_joined_at on members (site_id, joined_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index members_by_joined_at, members_tags;
      alter table members drop column tags;
      alter table schools drop column member_fields;
    `);
  }
}
