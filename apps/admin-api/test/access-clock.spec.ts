import { randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { AccessService } from '#src/enrollments/access.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { roundTripsOf } from './statements.js';

let api: TestApi;
let access: AccessService;
beforeAll(async () => {
  api = await startAdminApi();
  access = api.service.app.get(AccessService, { strict: false });
});
afterAll(() => api.stop());

async function course(): Promise<string> {
  const { body } = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  return String(body['id']);
}

describe('the clock of access', () => {
  /** Enrolls students in a course, whose access has ended since. */
  const endedAccess = (course_id: string, count: number) =>
    withDatabase(api.databaseUrl, async (client) => {
      await client.query('update courses set enrollments_count = $2 where id = $1', [course_id, count]);
      await client.query(
        `with student as (
           insert into students (site_id, email, name, enrollments_count)
           select $1, gen_random_uuid() || '@example.com', 'x', 1 from generate_series(1, $3::int) returning id
         ), enrollment as (
           insert into enrollments (site_id, student_id, course_id, source, started_at, expires_at, changes_at)
           select $1, id, $2, 'manual', now() - interval '2 hours', now() - interval '1 hour', now() - interval '1 hour'
           from student returning id, started_at, expires_at
         )
         insert into access_grants (site_id, enrollment_id, source, starts_at, ends_at)
         select $1, id, 'manual', started_at, expires_at from enrollment`,
        [api.sites[0].site_id, course_id, count],
      );
    });
  const taken = async (id: string) => (await api.send('GET', `/api/v1/courses/${id}`)).body['enrollments_count'];

  it('ends the access of 100 students with as many round trips as that of two', async () => {
    const trips: number[] = [];
    for (const count of [2, 100]) {
      const id = await course();
      await endedAccess(id, count);
      const sent = await roundTripsOf(api, 'enrollments_lock_due', async () => {
        expect(await access.followClock(100)).toBe(count);
      });
      trips.push(sent.length);
      expect(await taken(id)).toBe(0);
    }
    expect(trips[0]).toBeGreaterThan(1);
    expect(trips[1]).toBe(trips[0]);
  });

  it('lets replicas end the access of different students at once', async () => {
    const id = await course();
    await endedAccess(id, 4);
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from courses where id = $1 for no key update', [id]);
      const turns = Promise.all([access.followClock(2), access.followClock(2)]);
      const waiting = `select from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
      await eventually(async () => (await client.query(waiting)).rowCount === 2);
      await client.query('commit');
      expect(await turns).toEqual([2, 2]);
    });
    expect([await access.followClock(2), await taken(id)]).toEqual([0, 0]);
  });
});
