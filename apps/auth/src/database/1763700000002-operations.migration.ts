import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys, audit, limits, invitations, and the school's students. */
export class Operations1763700000002 implements MigrationInterface {
  readonly name = 'Operations1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_keys (
        -- RFC 7638 thumbprint.
        kid             text PRIMARY KEY,
        public_jwk      jsonb NOT NULL,
        -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce (12) | tag (16) | ciphertext; the kid is the additional data.
        private_jwk     bytea NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        signs_from      timestamptz NOT NULL,
        -- Open end: it signs until a newer one takes over.
        signs_until     timestamptz,
        published_until timestamptz
      )`);
    await runner.query(`
      CREATE TABLE audit_log (
        audit_id    uuid PRIMARY KEY DEFAULT uuidv7(),
        occurred_at timestamptz NOT NULL DEFAULT now(),
        event       text NOT NULL,
        site_id     uuid,
        person_id   uuid,
        client_id   text,
        details     jsonb NOT NULL DEFAULT '{}'
      )`);
    await runner.query(`
      -- Serves the audit view of a site, newest first.
      CREATE INDEX audit_log_of_site ON audit_log (site_id, audit_id DESC)`);
    await runner.query(`
      CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit_log is append-only';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()`);
    await runner.query(`
      -- One row per account and source of sign-ins that failed, and per limit and window; shared by all replicas.
      CREATE TABLE sign_in_attempts (
        attempt_key   bytea PRIMARY KEY,
        failures      int NOT NULL,
        last_at       timestamptz NOT NULL,
        blocked_until timestamptz NOT NULL
      )`);
    await runner.query(`
      -- Serves the sweep.
      CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts (last_at)`);
    await runner.query(`
      CREATE TABLE rate_limits (
        limit_key    bytea NOT NULL,
        window_start timestamptz NOT NULL,
        hits         int NOT NULL,
        PRIMARY KEY (limit_key, window_start)
      )`);
    await runner.query(`
      -- Serves the sweep.
      CREATE INDEX rate_limits_by_age ON rate_limits (window_start)`);
    await runner.query(`
      CREATE TABLE invitations (
        token_hash bytea PRIMARY KEY,
        person_id  uuid NOT NULL REFERENCES people,
        site_id    uuid NOT NULL REFERENCES sites,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at    timestamptz
      )`);
    await runner.query(`
      -- Serves "a used or newer link ends the older ones of the person".
      CREATE INDEX invitations_open ON invitations (person_id) WHERE used_at IS NULL`);
    await runner.query(`
      -- Serves the sweep.
      CREATE INDEX invitations_by_expiry ON invitations (expires_at)`);
    await runner.query(`
      -- The newest state of each student of the school that was applied here: an older event never undoes a newer one.
      CREATE TABLE school_students (
        student_id uuid PRIMARY KEY,
        site_id    uuid NOT NULL REFERENCES sites,
        person_id  uuid NOT NULL REFERENCES people,
        version    int NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE school_students, invitations, rate_limits, sign_in_attempts, audit_log, signing_keys',
    );
    await runner.query('DROP FUNCTION audit_log_is_append_only');
  }
}
