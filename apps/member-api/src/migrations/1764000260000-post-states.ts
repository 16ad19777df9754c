import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts that are scheduled or archived. An unpublished post is a draft (ADR 95). */
export class PostStates1764000260000 implements MigrationInterface {
  readonly name = 'PostStates1764000260000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table posts drop constraint post_state_check;
      update posts set state = 'draft' where state = 'unpublished';
      alter table posts add constraint post_state_check
        check (state in ('draft', 'scheduled', 'published', 'archived', 'deleted'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table posts drop constraint post_state_check;
      update posts set state = 'unpublished' where state in ('scheduled', 'archived');
      alter table posts add constraint post_state_check
        check (state in ('draft', 'published', 'unpublished', 'deleted'));
    `);
  }
}
