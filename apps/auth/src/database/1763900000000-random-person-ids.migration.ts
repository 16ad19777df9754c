import type { MigrationInterface, QueryRunner } from 'typeorm';

/** New people get random ids: an id must not reveal to a site when the person was first created. */
export class RandomPersonIds1763900000000 implements MigrationInterface {
  readonly name = 'RandomPersonIds1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE people ALTER COLUMN person_id SET DEFAULT gen_random_uuid()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE people ALTER COLUMN person_id SET DEFAULT uuidv7()');
  }
}
