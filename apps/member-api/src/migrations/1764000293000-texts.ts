import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Descriptions of courses and contents of lectures, in pieces. Empty until `republish text` at admin-api. */
export class Texts1764000293000 implements MigrationInterface {
  readonly name = 'Texts1764000293000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table texts (
        site_id uuid not null,
        owner_id uuid not null,
        piece integer not null,
        pieces integer not null,
        epoch bigint not null,
        version integer not null,
        html text not null,
        primary key (site_id, owner_id, piece)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table texts');
  }
}
