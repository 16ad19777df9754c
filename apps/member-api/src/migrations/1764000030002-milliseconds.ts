import { keepMilliseconds } from '@lyceum/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Instants have milliseconds (ADR 43). The release before reads and writes such columns too, so they stay. */
export class Milliseconds1764000030002 implements MigrationInterface {
  readonly name = 'Milliseconds1764000030002';

  async up(runner: QueryRunner): Promise<void> {
    await keepMilliseconds(runner);
  }

  async down(): Promise<void> {}
}
