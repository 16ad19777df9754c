import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logos of approved clients (ADR 112). */
export class ClientLogos1764000260001 implements MigrationInterface {
  readonly name = 'ClientLogos1764000260001';

  async up(runner: QueryRunner): Promise<void> {
    // The address of the logo in the document, if it has a valid one.
    await runner.query('alter table client_documents add column logo_uri text');
    await runner.query(`
      create table client_logos (
        site_id    uuid not null references sites,
        client_key uuid not null references clients on delete cascade,
        -- As it was at the approval.
        logo_uri   text not null,
        type       text check (type in ('image/png', 'image/jpeg', 'image/webp')),
        bytes      bytea check (length(bytes) <= 65536),
        due_at     timestamptz(3) not null default now(),
        attempts   integer not null default 0,
        ended_at   timestamptz(3),
        failure    text,
        primary key (site_id, client_key),
        check ((type is null) = (bytes is null))
      )`);
    // The next jobs of each site.
    await runner.query('create index client_logos_due on client_logos (site_id, due_at) where ended_at is null');
    // Dead jobs, for the command that lists and retries them, and for the metric.
    await runner.query('create index client_logos_dead on client_logos (ended_at) where failure is not null');
    // The deletion of a client.
    await runner.query('create index client_logos_of_client on client_logos (client_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table client_logos');
    await runner.query('alter table client_documents drop column logo_uri');
  }
}
