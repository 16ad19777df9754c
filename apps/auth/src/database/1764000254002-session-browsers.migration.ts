import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The browser of a session, which the account page names (ADR 110). */
export class SessionBrowsers1764000254002 implements MigrationInterface {
  readonly name = 'SessionBrowsers1764000254002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sessions
        -- The User-Agent of the sign-in, cut. Null for an anonymous session, and for one without the header.
        add column user_agent text check (length(user_agent) <= 400)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sessions drop column user_agent');
  }
}
