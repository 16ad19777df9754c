import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AccessClock } from '#src/enrollments/access.clock.js';
import { AccessService } from '#src/enrollments/access.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked, withDatabase } from './database.js';
import { roundTripsOf } from './statements.js';

let api: TestApi;
let access: AccessService;
let clock: AccessClock;
beforeAll(async () => {
  api = await startAdminApi();
  access = api.service.app.get(AccessService, { strict: false });
  clock = api.service.app.get(AccessClock, { strict: false });
});
afterAll(() => api.stop());

async function course(site = api.sites[0]): Promise<string> {
  const { body } = await api.send('POST', '/api/v1/courses', { site, body: { name: 'x', slug: `c-${randomUUID()}` } });
  return String(body['id']);
}

describe('the clock of access', () => {
  /** Enrolls students in a course, whose access has ended since. */
  const endedAccess = (course_id: string, count: number, site = api.sites[0]) =>
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
        [site.site_id, course_id, count],
      );
    });
  const taken = async (id: string, site = api.sites[0]) =>
    (await api.send('GET', `/api/v1/courses/${id}`, { site })).body['enrollments_count'];

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

  it('leaves students and courses that another transaction has locked, and waits for none', async () => {
    const [locked, free] = [await course(), await course(api.sites[1])];
    await endedAccess(locked, 3);
    await endedAccess(free, 3, api.sites[1]);
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from courses where id = $1 for no key update', [locked]);
      const student = `(select student_id from enrollments where course_id = $1 limit 1)`;
      await client.query(`select from students where id = ${student} for no key update`, [free]);
      expect(await access.followClock(100)).toBe(2);
      expect([await taken(locked), await taken(free, api.sites[1])]).toEqual([3, 1]);
      await client.query('commit');
    });
    expect(await access.followClock(100)).toBe(4);
    expect([await taken(locked), await taken(free, api.sites[1])]).toEqual([0, 0]);
  });

  it('ends the access to a course that others lock one after the other', async () => {
    const id = await course();
    await endedAccess(id, 300);
    const end = new AbortController();
    const others = [1, 2].map(() =>
      withDatabase(api.databaseUrl, async (client) => {
        while (!end.signal.aborted) {
          await client.query('begin');
          await client.query('select from courses where id = $1 for no key update', [id]);
          await setTimeout(50);
          await client.query('commit');
        }
      }),
    );
    await setTimeout(100);
    await clock.run(new AbortController().signal);
    end.abort();
    await Promise.all(others);
    expect(await taken(id)).toBe(0);
  });

  it('leaves a course that stays locked to the next turn, and goes on with others', async () => {
    const [stuck, busy] = [await course(), await course(api.sites[1])];
    await endedAccess(stuck, 3);
    await endedAccess(busy, 3, api.sites[1]);
    const locked = (id: string, work: Parameters<typeof withDatabase<void>>[1]) =>
      withDatabase(api.databaseUrl, async (client) => {
        await client.query('begin');
        await client.query('select from courses where id = $1 for no key update', [id]);
        await work(client);
      });
    await locked(stuck, async (client) => {
      let turn = Promise.resolve();
      await locked(busy, async () => {
        turn = clock.run(new AbortController().signal);
        await untilBlocked(client);
      });
      await turn;
    });
    expect([await taken(stuck), await taken(busy, api.sites[1])]).toEqual([3, 0]);
    await clock.run(new AbortController().signal);
    expect(await taken(stuck)).toBe(0);
  });

  it('lets replicas end the access to different courses at once', async () => {
    const ids = [await course(), await course()];
    for (const id of ids) await endedAccess(id, 2);
    const turns = await Promise.all([access.followClock(2), access.followClock(2)]);
    expect(turns.filter((moved) => moved === 2)).not.toEqual([]);
    while ((await access.followClock(2)) > 0);
    expect(await Promise.all(ids.map((id) => taken(id)))).toEqual([0, 0]);
  });
});
