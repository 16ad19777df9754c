import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  'welcome',
  'password_reset',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'webhook_gone',
  'webhook_failing',
];
const NEW_KINDS = ['sign_up', 'sign_up_known', 'sign_in_link'];

const check = (kinds: readonly string[]): string =>
  `add constraint mails_kind_check check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;

/** Links by email that create an account or sign in (ADR 112). */
export class EmailLinks1764000260000 implements MigrationInterface {
  readonly name = 'EmailLinks1764000260000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table email_link_requests (
        site_id      uuid not null references sites,
        request_id   uuid not null default uuidv7(),
        purpose      text not null check (purpose in ('sign_up', 'sign_in')),
        -- As the form had it, normalized: it may belong to no person.
        address      text not null,
        -- The browser that requested the link.
        browser_hash bytea not null,
        requested_at timestamptz(3) not null default now(),
        due_at       timestamptz(3) not null default now(),
        attempts     integer not null default 0,
        ended_at     timestamptz(3),
        failure      text,
        primary key (site_id, request_id)
      )`);
    // The next jobs of each site.
    await runner.query(
      'create index email_link_requests_due on email_link_requests (site_id, due_at) where ended_at is null',
    );
    // Dead jobs, for the command that lists and retries them, and for the metric.
    await runner.query(
      'create index email_link_requests_dead on email_link_requests (ended_at) where failure is not null',
    );
    // The sweep of jobs that are done.
    await runner.query('create index email_link_requests_done on email_link_requests (ended_at) where failure is null');
    await runner.query(`
      create table email_links (
        token_hash   bytea primary key,
        site_id      uuid not null references sites,
        purpose      text not null check (purpose in ('sign_up', 'sign_in')),
        -- The link proves this address. A sign-up has no person yet.
        address      text not null,
        browser_hash bytea not null,
        expires_at   timestamptz(3) not null,
        used_at      timestamptz(3)
      )`);
    // Ends the older links of an address, and all links of a person who sets a password.
    await runner.query('create index email_links_open on email_links (address) where used_at is null');
    // The sweep of expired links.
    await runner.query('create index email_links_by_expiry on email_links (expires_at)');
    await runner.query(`
      alter table mails
        alter column person_id drop not null,
        -- The recipient, if it is not the address of a person.
        add column address text,
        add constraint mails_recipient_check check (person_id is not null or address is not null),
        drop constraint mails_kind_check,
        ${check([...KINDS, ...NEW_KINDS])}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from mails where kind = any ($1)', [NEW_KINDS]);
    await runner.query(`
      alter table mails drop constraint mails_recipient_check, drop column address,
        alter column person_id set not null, drop constraint mails_kind_check, ${check(KINDS)}`);
    await runner.query('drop table email_links, email_link_requests');
  }
}
