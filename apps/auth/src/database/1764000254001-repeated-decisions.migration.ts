import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Interactions stay after their end, so that a repeated decision gets the response of the first one (ADR 110). */
export class RepeatedDecisions1764000254001 implements MigrationInterface {
  readonly name = 'RepeatedDecisions1764000254001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table interactions
        -- The first decision, which others wait for.
        add column decided_at timestamptz(3),
        add column ended_at timestamptz(3),
        -- The response that continued the authorization, encrypted: its address contains a code.
        add column sealed_response bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from interactions where ended_at is not null');
    await runner.query(
      'alter table interactions drop column decided_at, drop column ended_at, drop column sealed_response',
    );
  }
}
