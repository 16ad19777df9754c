import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Two valid secrets during a rotation, and registered clients that a site blocks (ADR 114). */
export class ClientSecrets1764000262000 implements MigrationInterface {
  readonly name = 'ClientSecrets1764000262000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table clients
        -- The secret before the current one. It is valid until the instant beside it.
        add column previous_secret_hash bytea check (length(previous_secret_hash) = 32),
        add column previous_secret_until timestamptz(3),
        add constraint clients_previous_secret_ends
          check ((previous_secret_hash is null) = (previous_secret_until is null)),
        drop constraint clients_review_of_documents,
        -- A site reviews a document. A registered client can only be blocked.
        add constraint clients_review_by_source check (case source
          when 'document' then review is not null
          when 'loopback' then review is null or review = 'blocked'
          else review is null end)`);
    await runner.query(`
      -- Serves the list of external clients in the admin area.
      create index clients_external on clients (site_id, client_key)
        where deleted_at is null and (source = 'document' or (source = 'loopback' and last_used_at is not null))`);
    await runner.query(`
      -- Serves the list of people in the admin area.
      create index site_members_by_joining on site_members (site_id, joined_at, member_id) where state <> 'removed'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index site_members_by_joining, clients_external');
    await runner.query(
      `update clients set deleted_at = now(), review = null where source = 'loopback' and review = 'blocked'`,
    );
    await runner.query(`
      alter table clients
        drop constraint clients_review_by_source,
        add constraint clients_review_of_documents check ((source = 'document') = (review is not null)),
        drop constraint clients_previous_secret_ends,
        drop column previous_secret_hash, drop column previous_secret_until`);
  }
}
