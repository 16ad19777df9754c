import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language and time zone of a site, and the language in which a mail was requested (ADR 118). */
export class SiteLanguages1764000270000 implements MigrationInterface {
  readonly name = 'SiteLanguages1764000270000';

  async up(runner: QueryRunner): Promise<void> {
    // Null until the next event of the school: pages then follow the browser, and times are in UTC.
    await runner.query('alter table site_schools add column locale text, add column timezone text');
    // Null for a mail that its recipient did not request.
    for (const table of REQUESTED) await runner.query(`alter table ${table} add column language text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of REQUESTED) await runner.query(`alter table ${table} drop column language`);
    await runner.query('alter table site_schools drop column locale, drop column timezone');
  }
}

const REQUESTED = ['mails', 'email_link_requests', 'password_reset_requests'] as const;
