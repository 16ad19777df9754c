import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pieces of a newer curriculum that does not fit into one event, until the last piece arrives. */
export class CurriculumPieces1764000292000 implements MigrationInterface {
  readonly name = 'CurriculumPieces1764000292000';

  async up(runner: QueryRunner): Promise<void> {
    // Null: no piece waits for others.
    await runner.query('alter table curricula add column pieces jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table curricula drop column pieces');
  }
}
