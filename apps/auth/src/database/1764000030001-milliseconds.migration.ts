import { keepMilliseconds } from '@lyceum/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Instants have milliseconds (ADR 43). The previous release reads and writes such columns too, so they stay. */
export class Milliseconds1764000030001 implements MigrationInterface {
  readonly name = 'Milliseconds1764000030001';

  async up(runner: QueryRunner): Promise<void> {
    // The view names a column whose type changes.
    await runner.query('drop view site_roles');
    await keepMilliseconds(runner);
    await runner.query(
      'create view site_roles as select site_id, person_id, roles, version, joined_at from site_members',
    );
  }

  async down(): Promise<void> {}
}
