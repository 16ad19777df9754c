import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  'welcome',
  'password_reset',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'webhook_gone',
  'webhook_failing',
  'sign_up',
  'sign_up_known',
  'sign_in_link',
];
const EMAIL_KINDS = ['email_change_approval', 'email_change_confirmation', 'email_changed'];

const check = (kinds: readonly string[]): string =>
  `add constraint mails_kind_check check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;

/** Changes of email addresses that wait for both addresses, and their mails (ADR 113). */
export class EmailChanges1764000261000 implements MigrationInterface {
  readonly name = 'EmailChanges1764000261000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table email_changes (
        -- A newer request of the person replaces the row.
        person_id    uuid primary key references people,
        -- The site that the links belong to.
        site_id      uuid not null references sites,
        -- Normalized. It may belong to another person, which only the confirmation finds out.
        new_email    text not null,
        -- SHA-256 of the token that is mailed to the present address. Its index serves the link.
        approve_hash bytea not null unique check (length(approve_hash) = 32),
        -- SHA-256 of the token that is mailed to the new address. Its index serves the link.
        confirm_hash bytea not null unique check (length(confirm_hash) = 32),
        -- As in people at the request: a new password or a sign-out everywhere makes the request void.
        sign_outs    integer not null,
        approved_at  timestamptz(3),
        confirmed_at timestamptz(3),
        -- The links show it until the row expires.
        outcome      text check (outcome in ('changed', 'refused', 'taken')),
        expires_at   timestamptz(3) not null
      )`);
    await runner.query(`
      alter table mails
        drop constraint mails_kind_check,
        ${check([...KINDS, ...EMAIL_KINDS])}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from mails where kind = any ($1)', [EMAIL_KINDS]);
    await runner.query(`alter table mails drop constraint mails_kind_check, ${check(KINDS)}`);
    await runner.query('drop table email_changes');
  }
}
