import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails and requests for reset links are queues of libs/jobs (ADR 59). */
export class MailJobs1764000032001 implements MigrationInterface {
  readonly name = 'MailJobs1764000032001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table mails (
        site_id      uuid not null references sites,
        mail_id      uuid not null default uuidv7(),
        person_id    uuid not null references people,
        kind         text not null check (kind in ('welcome', 'password_reset', 'password_changed', 'passkey_added', 'passkey_removed')),
        -- Names of the passkeys that the text lists.
        passkeys     text[] not null default '{}',
        -- The link of the mail in invitations.
        token_hash   bytea,
        -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce (12) | tag (16) | ciphertext; site and digest are the additional data.
        sealed_token bytea,
        due_at       timestamptz(3) not null default now(),
        attempts     integer not null default 0,
        ended_at     timestamptz(3),
        failure      text,
        primary key (site_id, mail_id),
        check ((token_hash is null) = (sealed_token is null))
      )`);
    await runner.query(`
      create table password_reset_requests (
        site_id      uuid not null references sites,
        request_id   uuid not null default uuidv7(),
        -- As the form had it, normalized: it may belong to no person.
        address      text not null,
        requested_at timestamptz(3) not null default now(),
        due_at       timestamptz(3) not null default now(),
        attempts     integer not null default 0,
        ended_at     timestamptz(3),
        failure      text,
        primary key (site_id, request_id)
      )`);
    for (const table of ['mails', 'password_reset_requests']) {
      // The next jobs of each site.
      await runner.query(`create index ${table}_due on ${table} (site_id, due_at) where ended_at is null`);
      // Dead jobs, for the command that lists and retries them, and for the metric.
      await runner.query(`create index ${table}_dead on ${table} (ended_at) where failure is not null`);
      // The sweep of jobs that are done.
      await runner.query(`create index ${table}_done on ${table} (ended_at) where failure is null`);
    }
    // The erasure of a person.
    await runner.query('create index mails_of_person on mails (person_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mails, password_reset_requests');
  }
}
