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
      CREATE TABLE site (
        site_id uuid PRIMARY KEY,
        version integer NOT NULL,
        base_url text NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        state text NOT NULL CHECK (state IN ('active', 'suspended'))
      )`);
    await runner.query(`
      CREATE TABLE person (
        person_id uuid PRIMARY KEY,
        version integer NOT NULL,
        email text NOT NULL,
        name text NOT NULL,
        picture text,
        locale text,
        state text NOT NULL CHECK (state IN ('active', 'suspended', 'deleted'))
      )`);
    // Read by its key for the fence of every query, and by the person alone for the list of schools.
    await runner.query(`
      CREATE TABLE membership (
        person_id uuid NOT NULL,
        site_id uuid NOT NULL,
        version integer NOT NULL,
        roles text[] NOT NULL,
        joined_at timestamptz NOT NULL,
        PRIMARY KEY (person_id, site_id)
      )`);
    await runner.query(`
      CREATE TABLE course (
        course_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        version integer NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        image_url text,
        state text NOT NULL CHECK (state IN ('draft', 'published', 'unpublished', 'archived', 'deleted'))
      )`);
    await runner.query(`
      CREATE TABLE enrollment (
        enrollment_id uuid PRIMARY KEY,
        site_id uuid NOT NULL,
        person_id uuid NOT NULL,
        course_id uuid NOT NULL,
        version integer NOT NULL,
        state text NOT NULL CHECK (state IN ('pending', 'active', 'expired', 'revoked')),
        started_at timestamptz NOT NULL,
        expires_at timestamptz,
        completion_rate double precision NOT NULL CHECK (completion_rate BETWEEN 0 AND 1),
        completed_at timestamptz,
        -- When the member was told of it; null until it is active and its course is known.
        announced_at timestamptz
      )`);
    // A page of viewer.enrolledCourses, in its order.
    await runner.query(
      'CREATE INDEX enrollment_page ON enrollment (site_id, person_id, started_at DESC, enrollment_id DESC)',
    );
    // The enrolments that wait for their course to be announced; nearly always none.
    await runner.query(
      `CREATE INDEX enrollment_unannounced ON enrollment (course_id) WHERE announced_at IS NULL AND state = 'active'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE enrollment, course, membership, person, site');
  }
}
