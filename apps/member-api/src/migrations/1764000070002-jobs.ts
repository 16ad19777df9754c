import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUEUES = ['fan_out', 'reminder', 'outbound_mail'] as const;

/** Fan-outs, reminders and mails are queues of libs/jobs: the same columns, and the indexes of a claim. */
export class Jobs1764000070002 implements MigrationInterface {
  readonly name = 'Jobs1764000070002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table fan_out rename column turn_at to due_at');
    await runner.query('alter table fan_out rename column done_at to ended_at');
    await runner.query('alter table fan_out add column attempts integer not null default 0');
    await runner.query('alter table reminder rename column sent_at to ended_at');
    await runner.query('alter table reminder add column attempts integer not null default 0');
    await runner.query('drop index fan_out_turn, reminder_due');
    // The next jobs of each site.
    await runner.query('create index fan_out_due on fan_out (site_id, due_at) where ended_at is null');
    await runner.query('create index reminder_due on reminder (site_id, due_at) where ended_at is null');
    for (const table of QUEUES) {
      await runner.query(`alter table ${table} add column failure text`);
      // Dead jobs, for the command that lists and retries them, and for the metric.
      await runner.query(`create index ${table}_dead on ${table} (ended_at) where failure is not null`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of QUEUES) await runner.query(`alter table ${table} drop column failure`);
    await runner.query('drop index fan_out_due, reminder_due');
    await runner.query('alter table reminder drop column attempts');
    await runner.query('alter table reminder rename column ended_at to sent_at');
    await runner.query('alter table fan_out drop column attempts');
    await runner.query('alter table fan_out rename column ended_at to done_at');
    await runner.query('alter table fan_out rename column due_at to turn_at');
    await runner.query('create index fan_out_turn on fan_out (turn_at) where done_at is null');
    await runner.query('create index reminder_due on reminder (due_at) where sent_at is null and title is not null');
  }
}
