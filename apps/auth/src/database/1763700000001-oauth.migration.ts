import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Grants and their codes and tokens. Bearer values are stored as SHA-256 only; `payload` is the engine's own record.
 * Codes and tokens are deleted with their grant (ON DELETE CASCADE), so a revocation is one statement, and a token that
 * is issued during a revocation fails by its foreign key.
 */
export class Oauth1763700000001 implements MigrationInterface {
  readonly name = 'Oauth1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE grants (
        grant_id   text PRIMARY KEY,
        site_id    uuid NOT NULL REFERENCES sites,
        person_id  uuid NOT NULL REFERENCES people,
        client_key uuid NOT NULL REFERENCES clients,
        -- Copied from the client, whose id and audience never change: introspection needs one join less.
        client_id  text NOT NULL,
        audience   text NOT NULL,
        payload    jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`
      -- Serves revocation by role change, suspension and password change.
      CREATE INDEX grants_of_person ON grants (person_id, site_id)`);
    await runner.query(`
      -- Serves revocation by deletion of a client, and the foreign key.
      CREATE INDEX grants_of_client ON grants (client_key)`);
    await runner.query(`
      -- Serves the sweep of grants that never came to a token.
      CREATE INDEX grants_by_age ON grants (created_at)`);

    await runner.query(`
      CREATE TABLE authorization_codes (
        -- Primary key serves the exchange.
        code_hash   bytea PRIMARY KEY,
        grant_id    text NOT NULL REFERENCES grants ON DELETE CASCADE,
        site_id     uuid NOT NULL,
        payload     jsonb NOT NULL,
        -- A used code is kept until it expires, so that its replay is seen.
        consumed_at timestamptz,
        expires_at  timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE access_tokens (
        -- Primary key serves introspection, the hottest query of the platform.
        token_hash bytea PRIMARY KEY,
        grant_id   text NOT NULL REFERENCES grants ON DELETE CASCADE,
        site_id    uuid NOT NULL,
        -- The origin that the token is bound to (RFC 8707).
        resource   text NOT NULL,
        scope      text NOT NULL,
        issued_at  timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE refresh_tokens (
        -- Primary key serves the refresh.
        token_hash  bytea PRIMARY KEY,
        grant_id    text NOT NULL REFERENCES grants ON DELETE CASCADE,
        site_id     uuid NOT NULL,
        -- How many rotations lie before this token: tells a repeat of the newest from a replay of an old one.
        rotation    int NOT NULL,
        payload     jsonb NOT NULL,
        consumed_at timestamptz,
        expires_at  timestamptz NOT NULL
      )`);
    for (const table of ['authorization_codes', 'access_tokens', 'refresh_tokens']) {
      await runner.query(`
        -- Serves the cascade from grants.
        CREATE INDEX ${table}_of_grant ON ${table} (grant_id)`);
      await runner.query(`
        -- Serves the sweep.
        CREATE INDEX ${table}_by_expiry ON ${table} (expires_at)`);
    }

    await runner.query(`
      CREATE TABLE sessions (
        session_hash bytea PRIMARY KEY,
        -- Serves the engine's look-up by the session's inner id.
        uid          text NOT NULL UNIQUE,
        site_id      uuid NOT NULL REFERENCES sites,
        person_id    uuid,
        payload      jsonb NOT NULL,
        expires_at   timestamptz NOT NULL
      )`);
    await runner.query(`
      -- Serves "end all sessions of a person".
      CREATE INDEX sessions_of_person ON sessions (person_id) WHERE person_id IS NOT NULL`);
    await runner.query(`
      CREATE TABLE interactions (
        interaction_hash bytea PRIMARY KEY,
        site_id          uuid NOT NULL REFERENCES sites,
        payload          jsonb NOT NULL,
        expires_at       timestamptz NOT NULL
      )`);
    for (const table of ['sessions', 'interactions']) {
      await runner.query(`
        -- Serves the sweep.
        CREATE INDEX ${table}_by_expiry ON ${table} (expires_at)`);
    }

    await runner.query(`
      CREATE TABLE consents (
        person_id  uuid NOT NULL REFERENCES people,
        client_key uuid NOT NULL REFERENCES clients,
        site_id    uuid NOT NULL REFERENCES sites,
        resource   text NOT NULL,
        scopes     text[] NOT NULL,
        granted_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        -- Serves the question at each authorization: has this been allowed already.
        PRIMARY KEY (person_id, client_key, site_id, resource)
      )`);
    await runner.query(`
      -- Serves the sweep.
      CREATE INDEX consents_by_expiry ON consents (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents, interactions, sessions');
    await runner.query('DROP TABLE refresh_tokens, access_tokens, authorization_codes, grants');
  }
}
