import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications that a form of the admin area created, so that the form creates one when it is sent twice (ADR 110). */
export class FormSubmissions1764000254000 implements MigrationInterface {
  readonly name = 'FormSubmissions1764000254000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table form_submissions (
        site_id       uuid not null references sites,
        -- The session that the form was shown in.
        session_uid   text not null,
        -- SHA-256 of the token of the form.
        token_hash    bytea not null check (length(token_hash) = 32),
        client_id     text not null,
        -- The secret of the application, encrypted, until its page has shown it. Null for a public one.
        sealed_secret bytea,
        shown_at      timestamptz(3),
        expires_at    timestamptz(3) not null,
        -- Serves the repetition of the form, and the page that shows the secret.
        primary key (site_id, session_uid, token_hash)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table form_submissions');
  }
}
