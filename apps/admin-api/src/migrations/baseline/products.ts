export const products = `
  create table digital_products (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    description_html text,
    image_url text,
    state text not null default 'draft' check (state in ('draft', 'published', 'unpublished', 'archived')),
    price_amount_minor bigint not null check (price_amount_minor >= 0),
    price_currency text not null check (price_currency ~ '^[A-Z]{3}$'),
    -- What it cost before, in the same currency
    compare_at_amount_minor bigint check (compare_at_amount_minor >= 0),
    -- null: without limit
    download_limit int check (download_limit > 0),
    -- null: for life
    access_days int check (access_days > 0),
    -- [{ file_id, name, content_type, size_bytes, storage_url }], in the order in which they are shown
    files jsonb not null default '[]',
    tags text[] not null default '{}',
    published_at timestamptz(3),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    compare_at_currency text check (compare_at_currency ~ '^[A-Z]{3}$'),
    -- Sales that were not taken back
    sold_count int not null default 0 check (sold_count >= 0),
    external_id text,
    metadata jsonb not null default '{}',
    primary key (site_id, id),
    -- get_catalog_item, and the refusal of a second product of the same slug
    constraint digital_products_slug unique (site_id, slug),
    constraint digital_products_price_amount_minor_exact check (price_amount_minor <= 9007199254740991),
    constraint digital_products_compare_at_amount_minor_exact check (compare_at_amount_minor <= 9007199254740991),
    -- GET /digital_products?external_id=…, and the upsert
    constraint digital_products_external_id unique (site_id, external_id),
    constraint digital_products_compare_at check ((compare_at_amount_minor is null) = (compare_at_currency is null))
  );
  -- search_catalog
  create index digital_products_catalogue on digital_products (site_id, name, id) where state = 'published';
  -- search_catalog with q
  create index digital_products_by_text on digital_products using gin (site_id, (((name || ' ') || slug)) gin_trgm_ops);
  -- GET /digital_products, sorted by created_at and by name
  create index digital_products_by_created_at on digital_products (site_id, created_at, id);
  -- sort=name
  create index digital_products_by_name on digital_products (site_id, name, id);
  -- GET /digital_products?state=…
  create index digital_products_by_state on digital_products (site_id, state, created_at, id);
  -- GET /digital_products?sort=updated_at, and updated_at[…]
  create index digital_products_by_updated_at on digital_products (site_id, updated_at, id);
  -- metadata[…]=…
  create index digital_products_metadata on digital_products using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  -- tag=…
  create index digital_products_tags on digital_products using gin (site_id, tags) where tags <> '{}'::text[];

  create table digital_product_grants (
    site_id uuid,
    id uuid default uuidv7(),
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
    -- GET /digital_products/{digital_product_id}/purchases?external_id=…
    constraint digital_product_grants_external_id unique (site_id, external_id),
    foreign key (site_id, digital_product_id) references digital_products(site_id, id),
    foreign key (site_id, student_id) references students(site_id, id)
  );
  -- the live grant of a student for a product
  create unique index digital_product_grants_live on digital_product_grants (site_id, student_id, digital_product_id)
    where state = 'active';
  -- the grants of a product, sort=created_at and created_at[…]
  create index digital_product_grants_created on digital_product_grants (site_id, digital_product_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index digital_product_grants_updated on digital_product_grants (site_id, digital_product_id, updated_at, id);
  -- student_id=…, and the grants of a student who is linked
  create index digital_product_grants_student on digital_product_grants (site_id, student_id, digital_product_id,
    created_at, id);
  -- the grants of all sites that are due to expire
  create index digital_product_grants_due on digital_product_grants (expires_at) where state = 'active'
    and expires_at is not null;
  -- metadata[…]=…
  create index digital_product_grants_metadata on digital_product_grants using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  create table digital_product_grant_sources (
    site_id uuid,
    id uuid default uuidv7(),
    grant_id uuid not null,
    -- Of the grant
    digital_product_id uuid not null,
    -- null: a grant by hand
    order_id uuid,
    -- null: for life
    expires_at timestamptz(3),
    taken_back_at timestamptz(3),
    primary key (site_id, id),
    constraint digital_product_grant_sources_check check (order_id is not null or taken_back_at is null),
    -- what an order gave; an order gives a product once
    constraint digital_product_grant_sources_order unique (site_id, order_id, digital_product_id),
    foreign key (site_id, grant_id) references digital_product_grants(site_id, id)
  );
  -- the sources of a grant
  create index digital_product_grant_sources_grant on digital_product_grant_sources (site_id, grant_id);
`;
