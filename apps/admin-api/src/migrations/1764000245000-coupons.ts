import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Coupons of a site, and the orders that redeemed them (ADR 91). */
export class Coupons1764000245000 implements MigrationInterface {
  name = 'Coupons1764000245000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create extension if not exists citext;

      create table coupons (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        name text not null,
        code citext not null,
        discount jsonb not null check (discount ->> 'kind' in ('fixed_amount', 'percentage')),
        duration text not null check (duration in ('once', 'repeating', 'forever')),
        duration_months int check (duration_months > 0),
        applies_to jsonb not null,
        starts_at timestamptz(3),
        expires_at timestamptz(3),
        max_redemptions int check (max_redemptions > 0),
        max_per_member int check (max_per_member > 0),
        min_order_amount_minor bigint check (min_order_amount_minor between 0 and 9007199254740991),
        min_order_currency text check (min_order_currency ~ '^[A-Z]{3}$'),
        active boolean not null default true,
        state text not null check (state in ('scheduled', 'active', 'exhausted', 'expired', 'deactivated')),
        -- A redemption counts in the transaction that makes it
        redeemed_count int not null default 0,
        first_redeemed_at timestamptz(3),
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        check ((duration = 'repeating') = (duration_months is not null)),
        check (starts_at < expires_at),
        check ((min_order_amount_minor is null) = (min_order_currency is null)),
        check (redeemed_count >= 0 and (max_redemptions is null or redeemed_count <= max_redemptions)),
        -- GET /coupons?code=…, GET /coupons/by_code/{code}, and redemptions
        constraint coupons_code unique (site_id, code),
        -- GET /coupons?external_id=…, and the upsert
        constraint coupons_external_id unique (site_id, external_id)
      );
      -- sort=created_at and created_at[…]
      create index coupons_created on coupons (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index coupons_updated on coupons (site_id, updated_at, id);
      -- sort=name
      create index coupons_name on coupons (site_id, name, id);
      -- state=…
      create index coupons_state on coupons (site_id, state, created_at, id);
      -- q=…
      create index coupons_by_text on coupons using gin (site_id, (name || ' ' || code::text) gin_trgm_ops);
      -- the clock: coupons of all sites that begin
      create index coupons_beginning on coupons (starts_at) where state = 'scheduled';
      -- the clock: coupons of all sites that end
      create index coupons_ending on coupons (expires_at) where state in ('scheduled', 'active', 'exhausted');

      create table coupon_redemptions (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        coupon_id uuid not null,
        order_id uuid not null,
        student_id uuid not null,
        discount_amount_minor bigint not null check (discount_amount_minor between 1 and 9007199254740991),
        discount_currency text not null check (discount_currency ~ '^[A-Z]{3}$'),
        -- By line of the order, in minor units
        discounts jsonb not null,
        redeemed_at timestamptz(3) not null,
        -- null: it counts
        restored_at timestamptz(3),
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, coupon_id) references coupons (site_id, id),
        foreign key (site_id, student_id) references students (site_id, id),
        -- the redemption of an order
        constraint coupon_redemptions_order unique (site_id, order_id)
      );
      -- the redemptions of a coupon, sort=created_at and created_at[…]
      create index coupon_redemptions_created on coupon_redemptions (site_id, coupon_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index coupon_redemptions_updated on coupon_redemptions (site_id, coupon_id, updated_at, id);
      -- student_id=…, and the redemptions that count for max_per_member
      create index coupon_redemptions_student on coupon_redemptions (site_id, coupon_id, student_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table coupon_redemptions, coupons; drop extension citext');
  }
}
