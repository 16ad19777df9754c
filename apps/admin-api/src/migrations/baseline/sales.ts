export const sales = `
  create table coupons (
    site_id uuid,
    id uuid default uuidv7(),
    name text not null,
    code citext not null,
    discount jsonb not null check ((discount ->> 'kind') = any (array['fixed_amount', 'percentage'])),
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
    constraint coupons_check check ((duration = 'repeating') = (duration_months is not null)),
    constraint coupons_check1 check (starts_at < expires_at),
    constraint coupons_check2 check ((min_order_amount_minor is null) = (min_order_currency is null)),
    constraint coupons_check3 check (redeemed_count >= 0 and ((max_redemptions is null)
      or (redeemed_count <= max_redemptions))),
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
  create index coupons_by_text on coupons using gin (site_id, (((name || ' ') || (code)::text)) gin_trgm_ops);
  -- the clock: coupons of all sites that begin
  create index coupons_beginning on coupons (starts_at) where state = 'scheduled';
  -- the clock: coupons of all sites that end
  create index coupons_ending on coupons (expires_at) where state in ('scheduled', 'active', 'exhausted');
  -- metadata[…]=…
  create index coupons_metadata on coupons using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'::jsonb;

  create table coupon_redemptions (
    site_id uuid,
    id uuid default uuidv7(),
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
    -- true: an earlier payment of the subscription redeemed the coupon, so no limit counts this one
    continued boolean not null default false,
    primary key (site_id, id),
    -- the redemption of an order
    constraint coupon_redemptions_order unique (site_id, order_id),
    foreign key (site_id, coupon_id) references coupons(site_id, id),
    foreign key (site_id, student_id) references students(site_id, id)
  );
  -- the redemptions of a coupon, sort=created_at and created_at[…]
  create index coupon_redemptions_created on coupon_redemptions (site_id, coupon_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index coupon_redemptions_updated on coupon_redemptions (site_id, coupon_id, updated_at, id);
  -- student_id=…, and the redemptions that count for max_per_member
  create index coupon_redemptions_student on coupon_redemptions (site_id, coupon_id, student_id, created_at, id);
  -- DELETE /students/{id}: the condition, and the check of the foreign key
  create index coupon_redemptions_of_student on coupon_redemptions (site_id, student_id);
  -- GET /coupon_redemptions with sort=created_at and created_at[…]
  create index coupon_redemptions_by_created_at on coupon_redemptions (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index coupon_redemptions_by_updated_at on coupon_redemptions (site_id, updated_at, id);
  -- student_id=…
  create index coupon_redemptions_by_student on coupon_redemptions (site_id, student_id, created_at, id);

  create table orders (
    site_id uuid,
    id uuid default uuidv7(),
    number text not null,
    state text not null check (state in ('pending', 'paid', 'failed', 'expired', 'partially_refunded', 'refunded')),
    student_id uuid not null,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    subtotal_minor bigint not null check (subtotal_minor between 0 and 9007199254740991),
    discount_minor bigint not null,
    tax_minor bigint not null check (tax_minor between 0 and 9007199254740991),
    tax_included boolean not null default false,
    total_minor bigint not null check (total_minor between 0 and 9007199254740991),
    -- Refunds are sums in the transactions that record them
    refunded_minor bigint not null default 0,
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
    constraint orders_check check (discount_minor between 0 and subtotal_minor),
    constraint orders_check1 check (refunded_minor between 0 and total_minor),
    constraint orders_check2
      check (total_minor = ((subtotal_minor - discount_minor) +
case
    when tax_included then (0)::bigint
    else tax_minor
end)),
    constraint orders_check3 check ((paid_at is not null) = (state in ('paid', 'partially_refunded', 'refunded'))),
    -- number=…, and the commands of storefronts
    constraint orders_number unique (site_id, number),
    foreign key (site_id, student_id) references students(site_id, id)
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
  -- item_type=… and the orders of one item
  create index orders_of_course_plan on orders (site_id, created_at, id) where item_types @> '{course_plan}'::text[];
  -- item_type=… and the orders of one item
  create index orders_of_membership_plan on orders (site_id, created_at, id)
    where item_types @> '{membership_plan}'::text[];
  -- item_type=… and the orders of one item
  create index orders_of_ticket on orders (site_id, created_at, id) where item_types @> '{ticket}'::text[];
  -- item_type=… and the orders of one item
  create index orders_of_digital_product on orders (site_id, created_at, id)
    where item_types @> '{digital_product}'::text[];
  -- item_type=… and the orders of one item
  create index orders_of_consulting_sessions on orders (site_id, created_at, id)
    where item_types @> '{consulting_sessions}'::text[];
  create trigger analytics_insert after insert on orders referencing new table as changed for each statement
    execute function analytics_orders();
  create trigger analytics_update after update on orders for each row when (((old.paid_at is distinct from new.paid_at)
    or (old.total_minor is distinct from new.total_minor))) execute function analytics_order();

  create table order_lines (
    site_id uuid,
    order_id uuid,
    -- From 1, in the order of the command
    position int,
    item_type text not null check (item_type in ('course_plan', 'membership_plan', 'ticket', 'digital_product',
      'consulting_sessions')),
    item_id uuid not null,
    -- At the time of the sale
    name text not null,
    quantity int not null check (quantity > 0),
    unit_amount_minor bigint not null check (unit_amount_minor >= 0),
    amount_minor bigint not null,
    discount_minor bigint not null,
    tax_minor bigint not null check (tax_minor >= 0),
    total_minor bigint not null check (total_minor >= 0),
    refunded_quantity int not null default 0,
    -- The grant, subscription, registration or purchase; null until the order is paid
    granted_id uuid,
    taken_back boolean not null default false,
    primary key (site_id, order_id, position),
    constraint order_lines_check check (amount_minor = (unit_amount_minor * quantity)),
    constraint order_lines_check1 check (discount_minor between 0 and amount_minor),
    constraint order_lines_check2 check (refunded_quantity between 0 and quantity),
    constraint order_lines_site_id_order_id_item_type_item_id_key unique (site_id, order_id, item_type, item_id),
    foreign key (site_id, order_id) references orders(site_id, id)
  );

  create table order_refunds (
    site_id uuid,
    id uuid,
    order_id uuid not null,
    amount_minor bigint not null check (amount_minor >= 0),
    -- The parts of lines that went back
    line_items jsonb not null,
    reason text,
    refunded_at timestamptz(3) not null,
    primary key (site_id, id),
    foreign key (site_id, order_id) references orders(site_id, id)
  );
  -- the refunds of an order
  create index order_refunds_order on order_refunds (site_id, order_id, id);
  -- analytics: refunds by the day of the refund
  create index order_refunds_by_instant on order_refunds (site_id, refunded_at);
  create trigger analytics_insert after insert on order_refunds referencing new table as changed for each statement
    execute function analytics_refunds();
`;
