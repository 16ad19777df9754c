import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of memberships that admin-api requests, and the erasure of removed members (ADR 73). */
export class MemberChanges1764000034001 implements MigrationInterface {
  readonly name = 'MemberChanges1764000034001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table member_requests (
        site_id    uuid not null references sites,
        request_id uuid not null,
        -- Null until the transaction of the change ends.
        member_id  uuid,
        changed    boolean not null default false,
        created_at timestamptz(3) not null default now(),
        primary key (site_id, request_id)
      )`);
    // The sweep of requests whose repetition is no longer expected.
    await runner.query('create index member_requests_by_age on member_requests (created_at)');
    // Null: the profile belongs to the person of the row.
    await runner.query('alter table site_members add column erased_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_members drop column erased_at');
    await runner.query('drop table member_requests');
  }
}
