import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state `canceled` of an event (ADR 43). */
export class AmericanSpelling1764000030010 implements MigrationInterface {
  readonly name = 'AmericanSpelling1764000030010';

  async up(runner: QueryRunner): Promise<void> {
    await spell(runner, 'cancelled', 'canceled');
  }

  async down(runner: QueryRunner): Promise<void> {
    await spell(runner, 'canceled', 'cancelled');
  }
}

async function spell(runner: QueryRunner, from: string, to: string): Promise<void> {
  await runner.query('alter table events drop constraint events_state_check');
  await runner.query(`update events set state = '${to}', version = version + 1 where state = '${from}'`);
  await runner.query(`
    alter table events
      add constraint events_state_check check (state in ('draft', 'published', 'live', 'ended', '${to}'))`);
}
