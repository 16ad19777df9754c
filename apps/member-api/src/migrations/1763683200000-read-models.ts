import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Copies of what other contexts own, kept by their events. `version` is the aggregate's: an older event never overwrites
 * a newer one, so rows of deleted things stay as tombstones. There are no foreign keys: events of different aggregates
 * come in any order, and a row is shown when everything that it needs is there.
 */
export class ReadModels1763683200000 implements MigrationInterface {
  readonly name = 'ReadModels1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table site (
        site_id uuid primary key,
        version integer not null,
        base_url text not null,
        name text not null,
        slug text not null,
        state text not null check (state in ('active', 'suspended'))
      )`);
    await runner.query(`
      create table person (
        person_id uuid primary key,
        version integer not null,
        email text not null,
        name text not null,
        picture text,
        locale text,
        state text not null check (state in ('active', 'suspended', 'deleted'))
      )`);
    // Read by its key for the fence of every query, and by the person alone for the list of schools.
    await runner.query(`
      create table membership (
        person_id uuid not null,
        site_id uuid not null,
        version integer not null,
        roles text[] not null,
        joined_at timestamptz not null,
        primary key (person_id, site_id)
      )`);
    await runner.query(`
      create table course (
        course_id uuid primary key,
        site_id uuid not null,
        version integer not null,
        slug text not null,
        name text not null,
        image_url text,
        state text not null check (state in ('draft', 'published', 'unpublished', 'archived', 'deleted'))
      )`);
    await runner.query(`
      create table enrollment (
        enrollment_id uuid primary key,
        site_id uuid not null,
        person_id uuid not null,
        course_id uuid not null,
        version integer not null,
        state text not null check (state in ('pending', 'active', 'expired', 'revoked')),
        started_at timestamptz not null,
        expires_at timestamptz,
        completion_rate double precision not null check (completion_rate between 0 and 1),
        completed_at timestamptz,
        -- When the member was told of it; null until it is active and its course is known.
        announced_at timestamptz
      )`);
    // A page of viewer.enrolledCourses, in its order.
    await runner.query(
      'create index enrollment_page on enrollment (site_id, person_id, started_at desc, enrollment_id desc)',
    );
    // The enrolments that wait for their course to be announced; nearly always none.
    await runner.query(
      `create index enrollment_unannounced on enrollment (course_id) where announced_at is null and state = 'active'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table enrollment, course, membership, person, site');
  }
}
