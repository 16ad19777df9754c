import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a student completed a lecture. */
export class LectureCompletion1764000120000 implements MigrationInterface {
  name = 'LectureCompletion1764000120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table progress
        add column completed boolean not null default false,
        add column completed_at timestamptz(3),
        add constraint progress_completed check (completed = (completed_at is not null));
      -- GET /students/{id}/progress?completed=…
      create index progress_by_completion on progress (site_id, student_id, completed, watched_at, id);

      comment on column enrollments.progressed_at is 'Unused: rates follow from lectures. A later release drops it.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      comment on column enrollments.progressed_at is null;
      drop index progress_by_completion;
      alter table progress drop column completed, drop column completed_at;
    `);
  }
}
