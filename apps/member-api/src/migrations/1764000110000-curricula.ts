import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The curricula of courses, and the progress of members in each lecture. Both are empty until their rebuild. */
export class Curricula1764000110000 implements MigrationInterface {
  readonly name = 'Curricula1764000110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table curricula (
        site_id uuid not null,
        course_id uuid not null,
        epoch bigint not null,
        version integer not null,
        -- What members see, in order.
        sections jsonb not null,
        primary key (site_id, course_id)
      )`);
    await runner.query(`
      create table lecture_progress (
        site_id uuid not null,
        person_id uuid not null,
        course_id uuid not null,
        lecture_id uuid not null,
        epoch bigint not null,
        version integer not null,
        position_seconds integer not null check (position_seconds >= 0),
        watched_at timestamptz(3) not null,
        completed_at timestamptz(3),
        -- In the order of a query, which reads the lectures of one course.
        primary key (site_id, person_id, course_id, lecture_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table lecture_progress, curricula');
  }
}
