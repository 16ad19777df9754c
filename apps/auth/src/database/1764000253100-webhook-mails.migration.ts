import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = ['welcome', 'password_reset', 'password_changed', 'passkey_added', 'passkey_removed'];
const WEBHOOK_KINDS = ['webhook_gone', 'webhook_failing'];

const check = (kinds: readonly string[]): string =>
  `add constraint mails_kind_check check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;

/** Mails about disabled webhook endpoints (ADR 98). */
export class WebhookMails1764000253100 implements MigrationInterface {
  readonly name = 'WebhookMails1764000253100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mails
        -- The address that a webhook mail names, without its query.
        add column url text,
        drop constraint mails_kind_check,
        ${check([...KINDS, ...WEBHOOK_KINDS])}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from mails where kind = any ($1)`, [WEBHOOK_KINDS]);
    await runner.query(`alter table mails drop column url, drop constraint mails_kind_check, ${check(KINDS)}`);
  }
}
