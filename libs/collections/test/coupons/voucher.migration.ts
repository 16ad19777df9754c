import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMMON = `
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, id)`;

export class Vouchers1795987200032 implements MigrationInterface {
  name = 'Vouchers1795987200032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table vouchers (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        code text not null,
        name text not null,
        price_amount_minor bigint,
        price_currency text,
        tags text[] not null default '{}',
        external_id text,
        metadata jsonb not null default '{}',
        created_by uuid not null,
        redeemed_count int not null default 0,
        constraint vouchers_code unique (site_id, code),
        constraint vouchers_external_id unique (site_id, external_id),
        ${COMMON}
      );
      create index vouchers_by_created_at on vouchers (site_id, created_at, id);
      create index vouchers_metadata on vouchers using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}';
      create index vouchers_by_updated_at on vouchers (site_id, updated_at, id);

      create table redemptions (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        voucher_id uuid not null,
        member text not null,
        voided boolean not null default false,
        ${COMMON}
      );
      create index redemptions_by_created_at on redemptions (site_id, voucher_id, created_at, id);
      create index redemptions_by_updated_at on redemptions (site_id, voucher_id, updated_at, id);

      create table voucher_settings (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        greeting text not null default 'Welcome',
        ${COMMON}
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table voucher_settings, redemptions, vouchers');
  }
}
