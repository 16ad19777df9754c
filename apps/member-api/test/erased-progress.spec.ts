import { eventually } from '@lyceum/testing';
import { memberApi } from '#src/member-api.js';
import { LeavingMember, hoursAhead } from './leaving-member.js';
import type { TestApi } from './member-api.js';

let leaver: LeavingMember;
let api: TestApi;
let member: LeavingMember['holder'];

beforeAll(async () => {
  leaver = await LeavingMember.start();
  ({ api, holder: member } = leaver);
});
afterAll(() => api.stop());

describe('progress that the school records before it follows an erasure', () => {
  const PROGRESS = ['lecture_progress', 'playbacks'];
  const stored = async () => (await leaver.tables()).filter((name) => PROGRESS.includes(name));

  it('ends with the erasure when it arrives before', async () => {
    const course_id = await leaver.newCourse();
    await api.world.progress({ ...member, course_id, watched_at: hoursAhead(1) });
    await eventually(stored, (found) => found.length === PROGRESS.length);
    await leaver.leave();
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['while the member is away', async () => {}],
    ['after the return of the member', () => leaver.join()],
  ])('does not count when it arrives %s, also in a rebuild', async (_when, before) => {
    const occurred_at = new Date().toISOString();
    // A return in the millisecond of the event would be before it.
    await new Promise((resolve) => setTimeout(resolve, 2));
    await before();
    await api.world.progress(
      { ...member, course_id: await leaver.newCourse(), watched_at: hoursAhead(1) },
      { occurred_at },
    );
    await leaver.settle();
    expect(await stored()).toEqual([]);
    await memberApi.commands?.['rebuild']?.run(api.config, ['progress']);
    expect(await stored()).toEqual([]);
  });

  it('waits for an erasure that runs, and stays away then, as notifications do', async () => {
    const course_id = await leaver.newCourse();
    const values = [member.site_id, member.person_id];
    const eraser = await api.connect();
    await eraser.query('begin');
    await eraser.query('select from memberships where site_id = $1 and person_id = $2 for update', values);
    await api.world.progress({ ...member, course_id, watched_at: hoursAhead(0) });
    await leaver.enroll(course_id);
    const blocked = `select from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    await eventually(async () => (await leaver.database.query(blocked)).rowCount === 2);
    const erased = 'update member_erasures set erased_at = clock_timestamp() where site_id = $1 and person_id = $2';
    await eraser.query(erased, values);
    await eraser.query('commit');
    await leaver.settle();
    expect(await leaver.tables()).toEqual(['enrollments']);
    await leaver.leave();
    await leaver.join();
  });
});
