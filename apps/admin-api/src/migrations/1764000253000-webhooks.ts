import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints of a site, their deliveries, and the work that is due for each endpoint (ADR 98). */
export class Webhooks1764000253000 implements MigrationInterface {
  name = 'Webhooks1764000253000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_endpoints (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        url text not null,
        description text,
        event_types text[] not null,
        state text not null check (state in ('enabled', 'disabled', 'paused')),
        reason text check (reason in ('requested', 'gone', 'failing', 'creator_lost_access', 'client_deleted')),
        created_by uuid not null,
        -- OAuth client of the token that created or claimed the endpoint
        client_id text not null,
        -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce (12) | tag (16) | ciphertext; site and id are the additional data
        sealed_secret bytea not null,
        previous_sealed_secret bytea,
        previous_secret_until timestamptz(3),
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        check ((state = 'enabled') = (reason is null)),
        check ((previous_sealed_secret is null) = (previous_secret_until is null)),
        -- GET /webhook_endpoints?external_id=…, and the upsert
        constraint webhook_endpoints_external_id unique (site_id, external_id)
      );
      -- sort=created_at and created_at[…]
      create index webhook_endpoints_created on webhook_endpoints (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index webhook_endpoints_updated on webhook_endpoints (site_id, updated_at, id);
      -- state=…
      create index webhook_endpoints_state on webhook_endpoints (site_id, state, created_at, id);
      -- endpoints of a member who lost access
      create index webhook_endpoints_creator on webhook_endpoints (site_id, created_by);
      -- endpoints of a deleted client, of all sites
      create index webhook_endpoints_client on webhook_endpoints (client_id) where state <> 'paused';
      -- secrets of all sites whose time is over
      create index webhook_endpoints_previous on webhook_endpoints (previous_secret_until)
        where previous_secret_until is not null;

      create table webhook_deliveries (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        endpoint_id uuid not null,
        -- webhook-id
        event_id uuid not null,
        event_type text not null,
        -- null: a test
        object_id text,
        occurred_at timestamptz(3) not null,
        data jsonb not null,
        state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
        attempts int not null default 0,
        -- next attempt; null: ended
        due_at timestamptz(3) default now(),
        attempted_at timestamptz(3),
        response_status int,
        response_ms int,
        error text,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        check ((state = 'pending') = (due_at is not null)),
        -- A repeated event is delivered once to an endpoint
        constraint webhook_deliveries_event unique (site_id, endpoint_id, event_id)
      );
      -- the next deliveries of an endpoint
      create index webhook_deliveries_due on webhook_deliveries (site_id, endpoint_id, due_at, id) where due_at is not null;
      -- sort=created_at and created_at[…]
      create index webhook_deliveries_created on webhook_deliveries (site_id, created_at, id);
      -- endpoint_id=…
      create index webhook_deliveries_endpoint on webhook_deliveries (site_id, endpoint_id, created_at, id);
      -- state=…
      create index webhook_deliveries_state on webhook_deliveries (site_id, state, created_at, id);
      -- deliveries of all sites that are older than 30 days
      create index webhook_deliveries_age on webhook_deliveries (created_at);

      -- The work of each endpoint. Its row is the lock of a batch: no other replica sends to the endpoint meanwhile.
      create table webhook_queues (
        site_id uuid not null,
        endpoint_id uuid not null,
        -- next attempt of a delivery; null: nothing is due
        due_at timestamptz(3),
        leased_until timestamptz(3),
        -- first failure since the last success
        failing_since timestamptz(3),
        primary key (site_id, endpoint_id),
        foreign key (site_id, endpoint_id) references webhook_endpoints (site_id, id) on delete cascade
      );
      -- due endpoints of all sites, those that fail apart
      create index webhook_queues_due on webhook_queues ((failing_since is not null), due_at) where due_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_queues, webhook_deliveries, webhook_endpoints');
  }
}
