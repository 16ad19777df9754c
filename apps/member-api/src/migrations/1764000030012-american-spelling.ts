import type { MigrationInterface, QueryRunner } from 'typeorm';

/** States by table, but for the one that changes its spelling. */
const STATES = {
  consulting_meeting: `'scheduled', 'completed', 'no_show'`,
  event: `'draft', 'published', 'live', 'ended', 'deleted'`,
  event_registration: `'registered', 'waitlisted', 'checked_in', 'no_show'`,
};

/** The state `canceled`, and when a registration was (ADR 43). */
export class AmericanSpelling1764000030012 implements MigrationInterface {
  readonly name = 'AmericanSpelling1764000030012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_registration rename column cancelled_at to canceled_at');
    await spell(runner, 'cancelled', 'canceled');
  }

  async down(runner: QueryRunner): Promise<void> {
    await spell(runner, 'canceled', 'cancelled');
    await runner.query('alter table event_registration rename column canceled_at to cancelled_at');
  }
}

async function spell(runner: QueryRunner, from: string, to: string): Promise<void> {
  for (const [table, states] of Object.entries(STATES)) {
    await runner.query(`alter table ${table} drop constraint ${table}_state_check`);
    await runner.query(`update ${table} set state = '${to}' where state = '${from}'`);
    await runner.query(
      `alter table ${table} add constraint ${table}_state_check check (state in (${states}, '${to}'))`,
    );
  }
}
