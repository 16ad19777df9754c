import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Removed members for whom stored responses of receivers are searched (ADR 157). */
export class WebhookErasures1764000310000 implements MigrationInterface {
  name = 'WebhookErasures1764000310000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_erasures (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        -- Ids of the member and the student
        ids text[] not null,
        -- Address, name, phone number and own key, as bodies spell them, in lower case. The row ends with the search
        texts text[] not null,
        -- Last delivery of the pieces that were searched
        after_id uuid not null default '00000000-0000-0000-0000-000000000000',
        due_at timestamptz(3) not null default date_trunc('milliseconds', now()),
        attempts int not null default 0,
        ended_at timestamptz(3),
        failure text,
        primary key (site_id, id)
      );
      -- due searches of a site
      create index webhook_erasures_due on webhook_erasures (site_id, due_at) where ended_at is null;
      -- dead-jobs list
      create index webhook_erasures_dead on webhook_erasures (ended_at) where failure is not null;

      drop index webhook_deliveries_responses;
      -- Responses of the site in the order of the search for a removed member
      create index webhook_deliveries_stored on webhook_deliveries (site_id, id) where response_body is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index webhook_deliveries_stored;
      create index webhook_deliveries_responses on webhook_deliveries (site_id) where response_body is not null;
      drop table webhook_erasures;
    `);
  }
}
