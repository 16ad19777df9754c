import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of passwords, so that a form that is sent twice gets the response of the first one (ADR 129). */
export class RepeatedPasswordChanges1764000276100 implements MigrationInterface {
  readonly name = 'RepeatedPasswordChanges1764000276100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table password_changes (
        site_id         uuid not null references sites,
        -- SHA-256 of the token of the form.
        token_hash      bytea not null check (length(token_hash) = 32),
        -- The session that the form was shown in. It ends with the change.
        session_uid     text not null,
        begun_at        timestamptz(3) not null default now(),
        -- The cookies of the response, encrypted. Null until the change is made.
        sealed_response bytea,
        expires_at      timestamptz(3) not null,
        -- Serves the repetition of the form.
        primary key (site_id, token_hash)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table password_changes');
  }
}
