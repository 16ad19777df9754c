import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People made from now on have random ids: a site must not learn from one when its person was first made anywhere. */
export class RandomPersonIds1763900000000 implements MigrationInterface {
  readonly name = 'RandomPersonIds1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE people ALTER COLUMN person_id SET DEFAULT gen_random_uuid()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE people ALTER COLUMN person_id SET DEFAULT uuidv7()');
  }
}
