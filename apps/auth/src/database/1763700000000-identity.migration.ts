import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sites, people, their roles, and OAuth clients: this context is their system of record. */
export class Identity1763700000000 implements MigrationInterface {
  readonly name = 'Identity1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sites (
        site_id    uuid PRIMARY KEY DEFAULT uuidv7(),
        base_url   text NOT NULL UNIQUE CHECK (base_url ~ '^https?://[^/]+$'),
        -- Unique for the look-up of every request: the site of a Host header.
        host       text NOT NULL UNIQUE,
        name       text NOT NULL CHECK (name <> ''),
        slug       text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,62})$'),
        org_id     text NOT NULL UNIQUE,
        state      text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended')),
        -- { loopback_registration, localhost_registration }: what the site allows; absent means allowed.
        settings   jsonb NOT NULL DEFAULT '{}',
        version    int NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE people (
        person_id      uuid PRIMARY KEY DEFAULT uuidv7(),
        email          text NOT NULL UNIQUE CHECK (email = lower(email)),
        email_verified boolean NOT NULL DEFAULT false,
        name           text NOT NULL,
        picture        text,
        locale         text,
        -- argon2id in PHC form; null until the person sets a password.
        password_hash  text,
        state          text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended', 'deleted')),
        version        int NOT NULL DEFAULT 1,
        created_at     timestamptz NOT NULL DEFAULT now(),
        updated_at     timestamptz NOT NULL DEFAULT now()
      )`);
    // A member without roles has a row with an empty list: its version must keep growing, so that consumers can order
    // events.
    await runner.query(`
      CREATE TABLE site_roles (
        site_id   uuid NOT NULL REFERENCES sites,
        person_id uuid NOT NULL REFERENCES people,
        roles     text[] NOT NULL
          CHECK (roles <@ ARRAY['owner', 'admin', 'lecturer', 'teaching_assistant', 'student']),
        version   int NOT NULL DEFAULT 1,
        joined_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (site_id, person_id)
      )`);
    await runner.query(`
      -- Serves "all sites of a person", when a person changes or is suspended.
      CREATE INDEX site_roles_by_person ON site_roles (person_id)`);
    await runner.query(`
      CREATE TABLE clients (
        client_key       uuid PRIMARY KEY DEFAULT uuidv7(),
        client_id        text NOT NULL,
        -- Null for the clients of vendor platforms, which are one for the deployment.
        site_id          uuid REFERENCES sites,
        name             text NOT NULL,
        audience         text NOT NULL CHECK (audience IN ('operator', 'member')),
        source           text NOT NULL CHECK (source IN ('site', 'platform', 'loopback', 'document')),
        -- SHA-256 of a secret of 256 random bits: nothing slower is needed. Null for public clients.
        secret_hash      bytea CHECK (length(secret_hash) = 32),
        redirect_uris    text[] NOT NULL CHECK (cardinality(redirect_uris) > 0),
        scopes           text[] NOT NULL,
        logo_uri         text,
        version          int NOT NULL DEFAULT 1,
        created_at       timestamptz NOT NULL DEFAULT now(),
        last_used_at     timestamptz,
        deleted_at       timestamptz,
        CHECK (source <> 'platform' OR site_id IS NULL),
        -- Serves every look-up by client_id at a site. A deleted client keeps its id: it is never given away again.
        CONSTRAINT clients_id_at_site UNIQUE NULLS NOT DISTINCT (client_id, site_id)
      )`);
    await runner.query(`
      -- Serves "the applications of this site" in the admin area.
      CREATE INDEX clients_of_site ON clients (site_id, client_key) WHERE deleted_at IS NULL`);
    await runner.query(`
      -- Serves the sweep of registered clients that were never or long not used.
      CREATE INDEX clients_registered_idle ON clients (coalesce(last_used_at, created_at))
        WHERE source = 'loopback' AND deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE clients, site_roles, people, sites');
  }
}
