import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entity tags of registrations come from `version - links`, as those of subscriptions. */
export class LinksOfRegistrations1795987200022 implements MigrationInterface {
  readonly name = 'LinksOfRegistrations1795987200022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_registrations add column links int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_registrations drop column links');
  }
}
