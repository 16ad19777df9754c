import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Coupons1795987200031 implements MigrationInterface {
  name = 'Coupons1795987200031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;

      create table coupons (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        code text not null,
        name text not null,
        discount jsonb not null,
        duration text not null default 'once',
        starts_at timestamptz(3),
        expires_at timestamptz(3),
        max_redemptions int,
        max_per_member int,
        min_order jsonb,
        external_id text,
        metadata jsonb not null default '{}',
        created_by uuid not null,
        redeemed_count int not null default 0 check (redeemed_count >= 0),
        active boolean not null default true,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- GET /coupons?code=…
        constraint coupons_code unique (site_id, code),
        -- GET /coupons?external_id=…, and the upsert
        constraint coupons_external_id unique (site_id, external_id)
      );
      -- GET /coupons, and created_at[…]
      create index coupons_by_created_at on coupons (site_id, created_at, id);
      -- GET /coupons?sort=updated_at, and updated_at[…]
      create index coupons_by_updated_at on coupons (site_id, updated_at, id);
      -- GET /coupons?sort=name
      create index coupons_by_name on coupons (site_id, name, id);
      -- GET /coupons?active=…
      create index coupons_by_active on coupons (site_id, active, created_at, id);
      -- GET /coupons?metadata[key]=…
      create index coupons_metadata on coupons using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}';
      -- GET /coupons?q=…
      create index coupons_by_words on coupons using gin (site_id, search_key(name || ' ' || code) gin_trgm_ops);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table coupons');
  }
}
