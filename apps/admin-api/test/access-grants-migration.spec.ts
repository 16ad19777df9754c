import { randomUUID } from 'node:crypto';
import { AccessGrants1764000050000 } from '#src/migrations/1764000050000-access-grants.js';
import { OwnKeys1764000050001 } from '#src/migrations/1764000050001-own-keys.js';
import { openDatabase } from './open-database.js';
import type { OpenDatabase } from './open-database.js';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

it('gives each older enrollment one grant, and removes it on the way down', async () => {
  const { dataSource } = database;
  const runner = dataSource.createQueryRunner();
  const [grants, keys] = [new AccessGrants1764000050000(), new OwnKeys1764000050001()];
  await keys.down(runner);
  await grants.down(runner);
  const site_id = randomUUID();
  const old = [
    ['active', 'purchase', null],
    ['active', 'free', '2999-01-01T00:00:00Z'],
    ['expired', 'import', '2026-02-01T00:00:00Z'],
    ['revoked', 'membership', null],
    ['revoked', 'manual', '2999-01-01T00:00:00Z'],
  ] as const;
  for (const [state, source, expires_at] of old) {
    await runner.query(
      `with course as (insert into courses (site_id, slug, name) values ($1, gen_random_uuid(), 'x') returning id),
         student as (insert into students (site_id, email, name) values ($1, gen_random_uuid(), 'x') returning id)
       insert into enrollments (site_id, course_id, student_id, state, source, expires_at, started_at, updated_at)
       select $1, course.id, student.id, $2, $3, $4, '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z' from course, student`,
      [site_id, state, source, expires_at],
    );
  }
  const before: unknown = await runner.query('select state, source, expires_at from enrollments order by id');

  await grants.up(runner);
  await keys.up(runner);
  const [march, later] = [new Date('2026-03-01T00:00:00Z'), new Date('2999-01-01T00:00:00Z')];
  const february = new Date('2026-02-01T00:00:00Z');
  const after: unknown = await runner.query(
    `select e.state, g.source, g.ends_at, g.revoked_at, e.expires_at, e.changes_at
     from enrollments e left join access_grants g on g.site_id = e.site_id and g.enrollment_id = e.id order by e.id`,
  );
  expect(after).toEqual([
    { state: 'active', source: 'order', ends_at: null, revoked_at: null, expires_at: null, changes_at: null },
    { state: 'active', source: 'manual', ends_at: later, revoked_at: null, expires_at: later, changes_at: later },
    {
      state: 'expired',
      source: 'import',
      ends_at: february,
      revoked_at: null,
      expires_at: february,
      changes_at: null,
    },
    { state: 'revoked', source: 'membership', ends_at: null, revoked_at: march, expires_at: march, changes_at: null },
    { state: 'revoked', source: 'manual', ends_at: later, revoked_at: march, expires_at: march, changes_at: null },
  ]);

  await keys.down(runner);
  await grants.down(runner);
  expect(await runner.query('select state, source, expires_at from enrollments order by id')).toEqual(before);
  await runner.release();
});
