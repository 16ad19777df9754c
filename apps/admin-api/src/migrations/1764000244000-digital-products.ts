import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Digital products with uploaded files, and the grants of students (ADR 90). */
export class DigitalProducts1764000244000 implements MigrationInterface {
  name = 'DigitalProducts1764000244000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#products(runner);
    await this.#grants(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table digital_product_grant_sources;
      drop table digital_product_grants;
      delete from file_uses where digital_product_id is not null;
      drop index file_uses_digital_product;
      alter table file_uses drop constraint file_uses_check, drop column digital_product_id;
      alter table file_uses add constraint file_uses_check
        check (num_nonnulls(lecture_id, appearance_revision_id, course_id, lecturer_id) = 1);
      update digital_products set files = '[]';
      alter table digital_products
        drop constraint digital_products_external_id, drop constraint digital_products_compare_at,
        drop column metadata, drop column external_id, drop column sold_count, drop column compare_at_currency;
    `);
  }

  async #products(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table digital_products
        add column compare_at_currency text check (compare_at_currency ~ '^[A-Z]{3}$'),
        -- Sales that were not taken back
        add column sold_count int not null default 0 check (sold_count >= 0),
        add column external_id text,
        add column metadata jsonb not null default '{}';
      -- Files had addresses of no upload.
      update digital_products set files = '[]',
        compare_at_currency = case when compare_at_amount_minor is not null then price_currency end;
      alter table digital_products
        add constraint digital_products_compare_at check ((compare_at_amount_minor is null) = (compare_at_currency is null)),
        -- GET /digital_products?external_id=…, and the upsert
        add constraint digital_products_external_id unique (site_id, external_id);

      alter table file_uses
        add column digital_product_id uuid,
        add foreign key (site_id, digital_product_id) references digital_products (site_id, id) on delete cascade,
        drop constraint file_uses_check;
      alter table file_uses add constraint file_uses_check
        check (num_nonnulls(lecture_id, appearance_revision_id, course_id, lecturer_id, digital_product_id) = 1);
      -- the files of a digital product
      create unique index file_uses_digital_product on file_uses (site_id, digital_product_id, file_id)
        where digital_product_id is not null;
    `);
  }

  async #grants(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table digital_product_grants (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        digital_product_id uuid not null,
        student_id uuid not null,
        state text not null default 'active' check (state in ('active', 'expired', 'revoked')),
        -- What made the grant
        source text not null check (source in ('order', 'manual')),
        granted_at timestamptz(3) not null,
        -- null: for life. Otherwise the latest end of its sources
        expires_at timestamptz(3),
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, digital_product_id) references digital_products (site_id, id),
        foreign key (site_id, student_id) references students (site_id, id),
        -- GET /digital_products/{digital_product_id}/purchases?external_id=…
        constraint digital_product_grants_external_id unique (site_id, external_id)
      );
      -- the live grant of a student for a product
      create unique index digital_product_grants_live on digital_product_grants (site_id, student_id, digital_product_id)
        where state = 'active';
      -- the grants of a product, sort=created_at and created_at[…]
      create index digital_product_grants_created on digital_product_grants (site_id, digital_product_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index digital_product_grants_updated on digital_product_grants (site_id, digital_product_id, updated_at, id);
      -- student_id=…, and the grants of a student who is linked
      create index digital_product_grants_student
        on digital_product_grants (site_id, student_id, digital_product_id, created_at, id);
      -- the grants of all sites that are due to expire
      create index digital_product_grants_due on digital_product_grants (expires_at)
        where state = 'active' and expires_at is not null;

      create table digital_product_grant_sources (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        grant_id uuid not null,
        -- Of the grant
        digital_product_id uuid not null,
        -- null: a grant by hand
        order_id uuid,
        -- null: for life
        expires_at timestamptz(3),
        taken_back_at timestamptz(3),
        primary key (site_id, id),
        foreign key (site_id, grant_id) references digital_product_grants (site_id, id),
        check (order_id is not null or taken_back_at is null),
        -- what an order gave; an order gives a product once
        constraint digital_product_grant_sources_order unique (site_id, order_id, digital_product_id)
      );
      -- the sources of a grant
      create index digital_product_grant_sources_grant on digital_product_grant_sources (site_id, grant_id);
    `);
  }
}
