import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a site shows beside courses: its profile, digital products, events, membership plans, lecturers and pages. Money
 * is a whole number of minor units (cents) and an ISO 4217 code; an int holds 21 million of any currency with cents.
 */
export class Catalogue1763683200002 implements MigrationInterface {
  name = 'Catalogue1763683200002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table schools (
        site_id uuid primary key,
        name text not null,
        locale text not null,
        -- IANA name
        timezone text not null,
        -- ISO 4217: of new prices
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        contact_email text,
        support_url text,
        terms_url text,
        privacy_url text,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()
      );

      create table digital_products (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        name text not null,
        description_html text,
        image_url text,
        state text not null default 'draft' check (state in ('draft', 'published', 'unpublished', 'archived')),
        price_amount_minor int not null check (price_amount_minor >= 0),
        price_currency text not null check (price_currency ~ '^[A-Z]{3}$'),
        -- What it cost before, in the same currency
        compare_at_amount_minor int check (compare_at_amount_minor >= 0),
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
        primary key (site_id, id),
        -- get_catalog_item, and the refusal of a second product of the same slug
        constraint digital_products_slug unique (site_id, slug)
      );
      -- search_catalog
      create index digital_products_catalogue on digital_products (site_id, name, id) where state = 'published';
      -- search_catalog with q
      create index digital_products_by_text on digital_products using gin (site_id, (name || ' ' || slug) gin_trgm_ops);

      create table events (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        name text not null,
        description_html text,
        image_url text,
        state text not null default 'draft' check (state in ('draft', 'published', 'live', 'ended', 'cancelled')),
        hosting_type text not null check (hosting_type in ('zoom', 'live_session', 'custom', 'in_person')),
        -- For registrants only
        join_url text,
        -- Where it is, in words; null when it is online only
        location text,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null check (ends_at > starts_at),
        -- IANA name of the zone in which the times are shown
        timezone text not null,
        -- null: without limit
        capacity int check (capacity > 0),
        registrations_count int not null default 0 check (registrations_count >= 0),
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- get_catalog_item, and the refusal of a second event of the same slug
        constraint events_slug unique (site_id, slug)
      );
      -- list_events
      create index events_by_start on events (site_id, starts_at, id) where state in ('published', 'live', 'ended');
      -- search_catalog
      create index events_catalogue on events (site_id, name, id) where state in ('published', 'live');
      -- search_catalog with q
      create index events_by_text on events using gin (site_id, (name || ' ' || slug) gin_trgm_ops);

      -- Ways to take part in an event; one without any is free
      create table event_tickets (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        event_id uuid not null,
        name text not null,
        price_amount_minor int not null check (price_amount_minor >= 0),
        price_currency text not null check (price_currency ~ '^[A-Z]{3}$'),
        position int not null,
        primary key (site_id, id),
        -- the tickets of an event, in their order
        constraint event_tickets_position unique (site_id, event_id, position),
        foreign key (site_id, event_id) references events (site_id, id) on delete cascade
      );

      create table membership_plans (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        name text not null,
        description_html text,
        plan_type text not null check (plan_type in ('recurring', 'fixed_date', 'specific_length', 'lifetime')),
        state text not null default 'draft' check (state in ('draft', 'active', 'archived')),
        -- Active, but only sold to whom it is offered
        visible boolean not null default true,
        -- Nobody can join after it; of a fixed_date plan, membership ends then too
        ends_at timestamptz(3),
        -- How many can be sold; null: without limit
        quantity int check (quantity > 0),
        sold_count int not null default 0 check (sold_count >= 0),
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- get_catalog_item, and the refusal of a second plan of the same slug
        constraint membership_plans_slug unique (site_id, slug)
      );
      -- list_membership_plans and search_catalog
      create index membership_plans_catalogue on membership_plans (site_id, name, id) where state = 'active' and visible;
      -- search_catalog with q
      create index membership_plans_by_text on membership_plans using gin (site_id, (name || ' ' || slug) gin_trgm_ops);

      -- What a plan costs: one or several ways to pay it
      create table membership_plan_prices (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        plan_id uuid not null,
        -- null: paid once
        billing_interval text check (billing_interval in ('day', 'week', 'month', 'year')),
        interval_count int not null default 1 check (interval_count > 0),
        price_amount_minor int not null check (price_amount_minor >= 0),
        price_currency text not null check (price_currency ~ '^[A-Z]{3}$'),
        trial_days int not null default 0 check (trial_days >= 0),
        position int not null,
        primary key (site_id, id),
        -- the prices of a plan, in their order
        constraint membership_plan_prices_position unique (site_id, plan_id, position),
        foreign key (site_id, plan_id) references membership_plans (site_id, id) on delete cascade
      );

      -- Courses that members of a plan have access to
      create table membership_plan_courses (
        site_id uuid not null,
        plan_id uuid not null,
        course_id uuid not null,
        primary key (site_id, plan_id, course_id),
        foreign key (site_id, plan_id) references membership_plans (site_id, id) on delete cascade,
        foreign key (site_id, course_id) references courses (site_id, id) on delete cascade
      );
      -- DELETE /courses/{id}: is it part of a plan?
      create index membership_plan_courses_by_course on membership_plan_courses (site_id, course_id);

      create table lecturers (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        name text not null,
        -- What they are, in a few words
        title text,
        bio_html text,
        avatar_url text,
        -- For operators
        email text,
        -- Whose account it is, when they have one
        person_id uuid,
        -- [{ network, url }]
        social_links jsonb not null default '[]',
        position int not null default 0,
        visible boolean not null default false,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- the refusal of a second lecturer of the same slug
        constraint lecturers_slug unique (site_id, slug)
      );
      -- list_lecturers
      create index lecturers_visible on lecturers (site_id, name, id) where visible;

      create table pages (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        title text not null,
        page_type text not null default 'static_page' check (page_type in ('static_page')),
        -- Where it is served, below the site's base URL
        path_prefix text not null,
        state text not null default 'draft' check (state in ('draft', 'published', 'unpublished')),
        live_deployment_id uuid,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- get_page, and the refusal of a second page of the same slug
        constraint pages_slug unique (site_id, slug)
      );

      create table page_deployments (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        page_id uuid not null,
        state text not null check (state in ('queued', 'ready', 'live', 'superseded', 'failed')),
        -- The text of its index.html: cleaned, as descriptions are
        content_html text,
        bytes int not null check (bytes >= 0),
        files_count int not null check (files_count > 0),
        created_by text not null,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- a page's deployment is one of its own
        constraint page_deployments_page unique (site_id, page_id, id),
        foreign key (site_id, page_id) references pages (site_id, id) on delete cascade
      );
      alter table pages add constraint pages_live_deployment foreign key (site_id, id, live_deployment_id)
        references page_deployments (site_id, page_id, id) deferrable initially deferred;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table pages drop constraint pages_live_deployment;
      drop table page_deployments, pages, lecturers, membership_plan_courses, membership_plan_prices, membership_plans,
        event_tickets, events, digital_products, schools;
    `);
  }
}
