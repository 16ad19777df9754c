import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders with their lines and refunds (ADR 92). */
export class Orders1764000246000 implements MigrationInterface {
  name = 'Orders1764000246000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#orders(runner);
    await this.#parts(runner);
    await runner.query(`
      alter table exports drop constraint exports_collection_check;
      alter table exports add constraint exports_collection_check
        check (collection in ('students', 'enrollments', 'progress', 'orders'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from exports where collection = 'orders';
      alter table exports drop constraint exports_collection_check;
      alter table exports add constraint exports_collection_check
        check (collection in ('students', 'enrollments', 'progress'));
      drop table order_refunds;
      drop table order_lines;
      drop table orders;
    `);
  }

  async #orders(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table orders (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        number text not null,
        state text not null
          check (state in ('pending', 'paid', 'failed', 'expired', 'partially_refunded', 'refunded')),
        student_id uuid not null,
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        subtotal_minor bigint not null check (subtotal_minor between 0 and 9007199254740991),
        discount_minor bigint not null check (discount_minor between 0 and subtotal_minor),
        tax_minor bigint not null check (tax_minor between 0 and 9007199254740991),
        tax_included boolean not null default false,
        total_minor bigint not null check (total_minor between 0 and 9007199254740991),
        -- Refunds are sums in the transactions that record them
        refunded_minor bigint not null default 0 check (refunded_minor between 0 and total_minor),
        coupon_code text,
        payment_method text,
        source text not null,
        -- null: no renewal
        subscription_id uuid,
        item_types text[] not null,
        paid_at timestamptz(3),
        refunded_at timestamptz(3),
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, student_id) references students (site_id, id),
        check (total_minor = subtotal_minor - discount_minor + case when tax_included then 0 else tax_minor end),
        check ((paid_at is not null) = (state in ('paid', 'partially_refunded', 'refunded'))),
        -- number=…, and the commands of storefronts
        constraint orders_number unique (site_id, number)
      );
      -- sort=created_at and created_at[…]
      create index orders_created on orders (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index orders_updated on orders (site_id, updated_at, id);
      -- sort=paid_at and paid_at[…]
      create index orders_paid on orders (site_id, paid_at, id) where paid_at is not null;
      -- state=…
      create index orders_state on orders (site_id, state, created_at, id);
      -- student_id=…, and the purchases of a member
      create index orders_student on orders (site_id, student_id, created_at, id);
      -- source=…
      create index orders_source on orders (site_id, source, created_at, id);
      -- currency=…
      create index orders_currency on orders (site_id, currency, created_at, id);
      -- item_type=…
      create index orders_item_types on orders using gin (site_id, item_types);
    `);
  }

  async #parts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table order_lines (
        site_id uuid not null,
        order_id uuid not null,
        -- From 1, in the order of the command
        position int not null,
        item_type text not null check (
          item_type in ('course_plan', 'membership_plan', 'ticket', 'digital_product', 'consulting_sessions')),
        item_id uuid not null,
        -- At the time of the sale
        name text not null,
        quantity int not null check (quantity > 0),
        unit_amount_minor bigint not null check (unit_amount_minor >= 0),
        amount_minor bigint not null check (amount_minor = unit_amount_minor * quantity),
        discount_minor bigint not null check (discount_minor between 0 and amount_minor),
        tax_minor bigint not null check (tax_minor >= 0),
        total_minor bigint not null check (total_minor >= 0),
        refunded_quantity int not null default 0 check (refunded_quantity between 0 and quantity),
        -- The grant, subscription, registration or purchase; null until the order is paid
        granted_id uuid,
        taken_back boolean not null default false,
        -- the lines of an order
        primary key (site_id, order_id, position),
        foreign key (site_id, order_id) references orders (site_id, id),
        unique (site_id, order_id, item_type, item_id)
      );

      create table order_refunds (
        site_id uuid not null,
        id uuid not null,
        order_id uuid not null,
        amount_minor bigint not null check (amount_minor >= 0),
        -- The parts of lines that went back
        line_items jsonb not null,
        reason text,
        refunded_at timestamptz(3) not null,
        primary key (site_id, id),
        foreign key (site_id, order_id) references orders (site_id, id)
      );
      -- the refunds of an order
      create index order_refunds_order on order_refunds (site_id, order_id, id);
    `);
  }
}
