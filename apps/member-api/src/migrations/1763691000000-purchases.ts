import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Copies of what members have bought and registered for, kept by the events of the school as those of
 * `ReadModels1763683200000` are. What is not here (orders, prices) this service never learns.
 */
export class Purchases1763691000000 implements MigrationInterface {
  readonly name = 'Purchases1763691000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#digitalProducts(runner);
    await this.#consulting(runner);
    await this.#events(runner);
    // Of two positions watched at one instant, that of the greater lecture id and version stays: see `applyProgress`.
    await runner.query('alter table playback add column version integer not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table playback drop column version');
    await runner.query('drop table event_registration, event, consulting_meeting, consulting_purchase');
    await runner.query(
      'drop table consulting_service, digital_product_download, digital_product_grant, digital_product',
    );
  }

  async #digitalProducts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table digital_product (
        digital_product_id uuid primary key,
        site_id uuid not null,
        version integer not null,
        slug text not null,
        name text not null,
        description text,
        image_url text,
        state text not null check (state in ('draft', 'published', 'unpublished', 'archived', 'deleted')),
        -- Of one grant, all files together; null means without limit.
        download_limit integer check (download_limit > 0),
        -- [{ file_id, name, content_type, size_bytes, storage_url }], in the order in which they are shown.
        files jsonb not null
      )`);
    await runner.query(`
      create table digital_product_grant (
        grant_id uuid primary key,
        site_id uuid not null,
        person_id uuid not null,
        digital_product_id uuid not null,
        version integer not null,
        state text not null check (state in ('active', 'expired', 'revoked')),
        granted_at timestamptz not null,
        expires_at timestamptz
      )`);
    // A page of viewer.digitalProducts, in its order.
    await runner.query(
      'create index digital_product_grant_page on digital_product_grant (site_id, person_id, granted_at desc, grant_id desc)',
    );
    // Owned here, so apart from the copy: a copy that is made anew forgets no download.
    await runner.query(`
      create table digital_product_download (
        grant_id uuid primary key,
        site_id uuid not null,
        count integer not null check (count > 0),
        last_at timestamptz not null
      ) with (fillfactor = 80)`);
  }

  async #consulting(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table consulting_service (
        consulting_service_id uuid primary key,
        site_id uuid not null,
        version integer not null,
        slug text not null,
        name text not null,
        state text not null check (state in ('draft', 'published', 'unpublished', 'archived', 'deleted')),
        -- Both null while nobody gives it.
        lecturer_id uuid,
        lecturer_name text,
        timezone text not null,
        check ((lecturer_id is null) = (lecturer_name is null))
      )`);
    await runner.query(`
      create table consulting_purchase (
        purchase_id uuid primary key,
        site_id uuid not null,
        person_id uuid not null,
        consulting_service_id uuid not null,
        version integer not null,
        state text not null check (state in ('active', 'expired', 'revoked')),
        purchased_at timestamptz not null,
        expires_at timestamptz,
        sessions_total integer not null check (sessions_total >= 0),
        sessions_used integer not null check (sessions_used >= 0)
      )`);
    // A page of viewer.consultingServices, in its order.
    await runner.query(
      'create index consulting_purchase_page on consulting_purchase (site_id, person_id, purchased_at desc, purchase_id desc)',
    );
    await runner.query(`
      create table consulting_meeting (
        meeting_id uuid primary key,
        site_id uuid not null,
        person_id uuid not null,
        purchase_id uuid not null,
        version integer not null,
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        state text not null check (state in ('scheduled', 'completed', 'no_show', 'cancelled')),
        join_url text
      )`);
    // A page of the bookings of one purchase, in its order.
    await runner.query(
      'create index consulting_meeting_page on consulting_meeting (site_id, person_id, purchase_id, starts_at desc, meeting_id desc)',
    );
  }

  async #events(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event (
        event_id uuid primary key,
        site_id uuid not null,
        version integer not null,
        slug text not null,
        name text not null,
        image_url text,
        hosting_type text not null check (hosting_type in ('zoom', 'live_session', 'custom', 'in_person')),
        -- For registrants only.
        join_url text,
        location text,
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        timezone text not null,
        state text not null check (state in ('draft', 'published', 'live', 'ended', 'cancelled', 'deleted'))
      )`);
    await runner.query(`
      create table event_registration (
        registration_id uuid primary key,
        site_id uuid not null,
        person_id uuid not null,
        event_id uuid not null,
        version integer not null,
        ticket_name text,
        state text not null check (state in ('registered', 'waitlisted', 'checked_in', 'no_show', 'cancelled')),
        registered_at timestamptz not null,
        checked_in_at timestamptz,
        cancelled_at timestamptz
      )`);
    // A page of viewer.eventRegistrations, in its order.
    await runner.query(
      'create index event_registration_page on event_registration (site_id, person_id, registered_at desc, registration_id desc)',
    );
  }
}
