import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys of people at sites (Web Authentication), and the open challenges. */
export class Passkeys1763700000011 implements MigrationInterface {
  readonly name = 'Passkeys1763700000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        passkey_id      uuid PRIMARY KEY DEFAULT uuidv7(),
        site_id         uuid NOT NULL REFERENCES sites,
        person_id       uuid NOT NULL REFERENCES people,
        -- The person's own word for it.
        name            text NOT NULL CHECK (name <> ''),
        credential_id   bytea NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
        -- COSE_Key (RFC 9052 §7).
        public_key      bytea NOT NULL,
        sign_count      bigint NOT NULL CHECK (sign_count >= 0),
        -- It may be kept on several devices, and is now.
        backup_eligible boolean NOT NULL,
        backed_up       boolean NOT NULL,
        transports      text[] NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        last_used_at    timestamptz,
        -- Serves the sign-in.
        CONSTRAINT passkeys_id_at_site UNIQUE (site_id, credential_id)
      )`);
    await runner.query(`
      -- Serves "the passkeys of this person here", and the end of all when a person is deleted.
      CREATE INDEX passkeys_of_person ON passkeys (person_id, site_id)`);
    await runner.query(`
      CREATE TABLE passkey_challenges (
        -- SHA-256, as of everything that proves something.
        challenge_hash bytea PRIMARY KEY,
        site_id        uuid NOT NULL REFERENCES sites,
        ceremony       text NOT NULL CHECK (ceremony IN ('create', 'get')),
        -- SHA-256 of what only the browser that was asked has.
        browser_hash   bytea NOT NULL,
        expires_at     timestamptz NOT NULL
      )`);
    await runner.query(`
      -- Serves the sweep.
      CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE passkey_challenges, passkeys');
  }
}
