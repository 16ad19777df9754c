import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A pass reads the events of the entities alone. Erasures of the previous release have no subjects: it reads all. */
export class EventErasureSubjects1795987260002 implements MigrationInterface {
  readonly name = 'EventErasureSubjects1795987260002';

  async up(runner: QueryRunner): Promise<void> {
    // NATS filter for the events of the entity: `school.comment.>`
    await runner.query('alter table event_erasures add column subjects text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_erasures drop column subjects');
  }
}
