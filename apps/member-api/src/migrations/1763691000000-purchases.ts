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
    await runner.query('ALTER TABLE playback ADD COLUMN version integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE playback DROP COLUMN version');
    await runner.query('DROP TABLE event_registration, event, consulting_meeting, consulting_purchase');
    await runner.query(
      'DROP TABLE consulting_service, digital_product_download, digital_product_grant, digital_product',
    );
  }

  async #digitalProducts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE digital_product (
        digital_product_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        version integer NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        description text,
        image_url text,
        state text NOT NULL CHECK (state IN ('draft', 'published', 'unpublished', 'archived', 'deleted')),
        -- Of one grant, all files together; null means without limit.
        download_limit integer CHECK (download_limit > 0),
        -- [{ file_id, name, content_type, size_bytes, storage_url }], in the order in which they are shown.
        files jsonb NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE digital_product_grant (
        grant_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        digital_product_id uuid NOT NULL,
        version integer NOT NULL,
        state text NOT NULL CHECK (state IN ('active', 'expired', 'revoked')),
        granted_at timestamptz NOT NULL,
        expires_at timestamptz
      )`);
    // A page of viewer.digitalProducts, in its order.
    await runner.query(
      'CREATE INDEX digital_product_grant_page ON digital_product_grant (site_id, person_id, granted_at DESC, grant_id DESC)',
    );
    // Owned here, so apart from the copy: a copy that is made anew forgets no download.
    await runner.query(`
      CREATE TABLE digital_product_download (
        grant_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        count integer NOT NULL CHECK (count > 0),
        last_at timestamptz NOT NULL
      ) WITH (fillfactor = 80)`);
  }

  async #consulting(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE consulting_service (
        consulting_service_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        version integer NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        state text NOT NULL CHECK (state IN ('draft', 'published', 'unpublished', 'archived', 'deleted')),
        -- Both null while nobody gives it.
        lecturer_id uuid,
        lecturer_name text,
        timezone text NOT NULL,
        CHECK ((lecturer_id IS NULL) = (lecturer_name IS NULL))
      )`);
    await runner.query(`
      CREATE TABLE consulting_purchase (
        purchase_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        consulting_service_id uuid NOT NULL,
        version integer NOT NULL,
        state text NOT NULL CHECK (state IN ('active', 'expired', 'revoked')),
        purchased_at timestamptz NOT NULL,
        expires_at timestamptz,
        sessions_total integer NOT NULL CHECK (sessions_total >= 0),
        sessions_used integer NOT NULL CHECK (sessions_used >= 0)
      )`);
    // A page of viewer.consultingServices, in its order.
    await runner.query(
      'CREATE INDEX consulting_purchase_page ON consulting_purchase (site_id, person_id, purchased_at DESC, purchase_id DESC)',
    );
    await runner.query(`
      CREATE TABLE consulting_meeting (
        meeting_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        purchase_id uuid NOT NULL,
        version integer NOT NULL,
        starts_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        state text NOT NULL CHECK (state IN ('scheduled', 'completed', 'no_show', 'cancelled')),
        join_url text
      )`);
    // A page of the bookings of one purchase, in its order.
    await runner.query(
      'CREATE INDEX consulting_meeting_page ON consulting_meeting (site_id, person_id, purchase_id, starts_at DESC, meeting_id DESC)',
    );
  }

  async #events(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event (
        event_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        version integer NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        image_url text,
        hosting_type text NOT NULL CHECK (hosting_type IN ('zoom', 'live_session', 'custom', 'in_person')),
        -- For registrants only.
        join_url text,
        location text,
        starts_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        timezone text NOT NULL,
        state text NOT NULL CHECK (state IN ('draft', 'published', 'live', 'ended', 'cancelled', 'deleted'))
      )`);
    await runner.query(`
      CREATE TABLE event_registration (
        registration_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        event_id uuid NOT NULL,
        version integer NOT NULL,
        ticket_name text,
        state text NOT NULL CHECK (state IN ('registered', 'waitlisted', 'checked_in', 'no_show', 'cancelled')),
        registered_at timestamptz NOT NULL,
        checked_in_at timestamptz,
        cancelled_at timestamptz
      )`);
    // A page of viewer.eventRegistrations, in its order.
    await runner.query(
      'CREATE INDEX event_registration_page ON event_registration (site_id, person_id, registered_at DESC, registration_id DESC)',
    );
  }
}
