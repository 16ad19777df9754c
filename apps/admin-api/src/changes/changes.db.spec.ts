import { randomBytes, randomUUID } from 'node:crypto';
import type { Principal, Role } from '@lyceum/contracts';
import { Cursors } from '@lyceum/rest';
import type { QueryRunner } from 'typeorm';
import { eventually, rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { ChangeRepository } from './change.repository.js';
import type { ChangeQuery } from './change.schema.js';
import { ChangeService } from './change.service.js';
import type { RecordedEvent } from './public-event-mappings.js';
import type { PublicEventType } from './public-event-types.js';

const DAY_MS = 86_400_000;

let database: OpenDatabase;
let changes: ChangeRepository;
let service: ChangeService;
const cursors = new Cursors([randomBytes(32)]);
beforeAll(async () => {
  database = await openDatabase();
  changes = new ChangeRepository(database.sql);
  service = new ChangeService(changes, cursors);
});
afterAll(() => database.close());

const site = (): string => randomUUID();

const eventAt = (site_id: string, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: randomUUID(),
  site_id,
  type: 'course.updated',
  object_id: randomUUID(),
  course_id: null,
  occurred_at: new Date('2026-11-20T08:00:00.123Z'),
  data: { state: 'draft' },
  ...more,
});

const caller = (site_id: string, more: Partial<Principal> = {}): Principal => ({
  person_id: randomUUID(),
  member_id: randomUUID(),
  site_id,
  client_id: 'an-app',
  audience: 'operator',
  scopes: ['courses:read', 'students:read'],
  roles: ['owner'],
  grant_id: 'grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: 0,
  ...more,
});

const record = (...events: RecordedEvent[]): Promise<void> =>
  database.dataSource.transaction((tx) => changes.record(tx, events));

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

const read = (principal: Principal, query: Partial<ChangeQuery> = {}, now?: Date) =>
  service.list(principal, { limit: 100, ...query }, now);

async function begin(): Promise<QueryRunner> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  return runner;
}

async function end(runner: QueryRunner, how: 'commit' | 'rollback'): Promise<void> {
  await (how === 'commit' ? runner.commitTransaction() : runner.rollbackTransaction());
  await runner.release();
}

/** Waits until a transaction of this database waits for another one. */
async function untilBlocked(): Promise<void> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await eventually(
    () => database.dataSource.query<unknown[]>(text),
    (blocked) => blocked.length > 0,
  );
}

describe('the order of changes', () => {
  it('follows the batch, whose data a reader sees', async () => {
    const site_id = site();
    const events = [eventAt(site_id), eventAt(site_id, { type: 'enrollment.activated' }), eventAt(site_id)];
    await record(...events);
    const { rows, more } = await read(caller(site_id));
    expect(more).toBe(false);
    expect(rows).toMatchObject(events.map(({ site_id: _site, course_id: _course, ...event }) => event));
  });

  it.each(['commit', 'rollback'] as const)(
    'follows visibility when the first transaction ends later by %s',
    async (how) => {
      const site_id = site();
      const [first, second] = [eventAt(site_id), eventAt(site_id)];
      const [slow, quick] = [await begin(), await begin()];
      await changes.record(slow.manager, [first]);
      const recording = changes.record(quick.manager, [second]).then(() => end(quick, 'commit'));
      await untilBlocked();
      const before = await read(caller(site_id));
      expect(before.rows).toEqual([]);
      await end(slow, how);
      await recording;
      const { rows } = await read(caller(site_id), { cursor: before.next });
      expect(idsOf(rows)).toEqual(how === 'commit' ? [first.id, second.id] : [second.id]);
    },
  );
});

describe('a page', () => {
  it('continues after its last change, and after an empty one, once each', async () => {
    const site_id = site();
    const owner = caller(site_id);
    const events = [1, 2, 3].map(() => eventAt(site_id));
    const empty = await read(owner);
    expect(empty).toMatchObject({ rows: [], more: false });
    await record(...events);
    const first = await read(owner, { limit: 2, cursor: empty.next });
    expect([idsOf(first.rows), first.more]).toEqual([idsOf(events.slice(0, 2)), true]);
    const second = await read(owner, { limit: 2, cursor: first.next });
    expect([idsOf(second.rows), second.more]).toEqual([idsOf(events.slice(2)), false]);
    const later = eventAt(site_id);
    await record(later);
    expect(idsOf((await read(owner, { cursor: second.next })).rows)).toEqual([later.id]);
  });

  it('filters by type and by the instant of the recording, at one site', async () => {
    const site_id = site();
    const [course, enrollment] = [eventAt(site_id), eventAt(site_id, { type: 'enrollment.activated' })];
    await record(course, enrollment, eventAt(site()));
    const type: PublicEventType[] = ['enrollment.activated', 'enrollment.revoked'];
    expect(idsOf((await read(caller(site_id), { type })).rows)).toEqual([enrollment.id]);
    const { rows } = await read(caller(site_id));
    const [{ created_at } = { created_at: new Date() }] = rows;
    const since = (ms: number) => ({ 'created_at[gte]': new Date(created_at.getTime() + ms).toISOString() });
    expect(idsOf((await read(caller(site_id), since(0))).rows)).toEqual([course.id, enrollment.id]);
    expect((await read(caller(site_id), since(1_000))).rows).toEqual([]);
  });

  it('shows a teacher the changes of own courses, and none of others', async () => {
    const site_id = site();
    const roles: Role[] = ['lecturer'];
    const teacher = caller(site_id, { roles });
    const made = await database.dataSource.query<{ id: string }[]>(
      `insert into courses (site_id, slug, name) values ($1, 'own', 'Own'), ($1, 'other', 'Other') returning id`,
      [site_id],
    );
    const [own = '', other = ''] = idsOf(made);
    await database.dataSource.query(
      `with lecturer as (insert into lecturers (site_id, slug, name, member_id) values ($1, 'l', 'L', $2) returning id)
       insert into course_lecturers (site_id, course_id, lecturer_id, position) select $1, $3, id, 1 from lecturer`,
      [site_id, teacher.member_id, own],
    );
    const mine = [
      eventAt(site_id, { course_id: own }),
      eventAt(site_id, { course_id: own, type: 'enrollment.activated' }),
    ];
    await record(...mine, eventAt(site_id, { course_id: other }), eventAt(site_id));
    expect(idsOf((await read(teacher)).rows)).toEqual(idsOf(mine));
    expect((await read(caller(site_id, { roles }))).rows).toEqual([]);
    await expect(read(caller(site_id, { roles: ['student'] }))).rejects.toMatchObject({ code: 'forbidden' });

    await database.dataSource.transaction(async (tx) => {
      await changes.keepTeachers(tx, { site_id, id: own });
      await tx.query('delete from courses where site_id = $1 and id = $2', [site_id, own]);
    });
    const deletion = eventAt(site_id, { course_id: own, type: 'course.deleted' });
    await record(deletion, eventAt(site_id, { course_id: other, type: 'course.deleted' }));
    expect(idsOf((await read(teacher)).rows)).toEqual([...idsOf(mine), deletion.id]);
    expect((await read(caller(site_id, { roles }))).rows).toEqual([]);
  });
});

it('shows a teacher with two lecturers in a course each of its changes once, page by page', async () => {
  const site_id = site();
  const teacher = caller(site_id, { roles: ['lecturer'] });
  const [{ course_id } = { course_id: '' }] = await database.dataSource.query<{ course_id: string }[]>(
    `with course as (insert into courses (site_id, slug, name) values ($1, 'own', 'Own') returning id),
       lecturer as (
         insert into lecturers (site_id, slug, name, member_id) values ($1, 'a', 'A', $2), ($1, 'b', 'B', $2)
         returning id, slug)
     insert into course_lecturers (site_id, course_id, lecturer_id, position)
     select $1, course.id, lecturer.id, case slug when 'a' then 1 else 2 end from course, lecturer
     returning course_id`,
    [site_id, teacher.member_id],
  );
  const events = [1, 2, 3].map(() => eventAt(site_id, { course_id }));
  await record(...events);
  const first = await read(teacher, { limit: 2 });
  const second = await read(teacher, { limit: 2, cursor: first.next });
  expect([idsOf(first.rows), first.more]).toEqual([idsOf(events.slice(0, 2)), true]);
  expect([idsOf(second.rows), second.more]).toEqual([idsOf(events.slice(2)), false]);
});

describe('a cursor', () => {
  it('passes the changes that its page leaves out, and none that is recorded later', async () => {
    const site_id = site();
    const teacher = caller(site_id, { roles: ['lecturer'] });
    const [{ course_id } = { course_id: '' }] = await database.dataSource.query<{ course_id: string }[]>(
      `with course as (insert into courses (site_id, slug, name) values ($1, 'own', 'Own') returning id),
         lecturer as (insert into lecturers (site_id, slug, name, member_id) values ($1, 'l', 'L', $2) returning id)
       insert into course_lecturers (site_id, course_id, lecturer_id, position)
       select $1, course.id, lecturer.id, 1 from course, lecturer returning course_id`,
      [site_id, teacher.member_id],
    );
    const others = () =>
      record(...Array.from({ length: 20 }, () => eventAt(site_id, { course_id, type: 'enrollment.activated' })));
    await others();
    const slow = await begin();
    const later = eventAt(site_id, { course_id });
    await changes.record(slow.manager, [later]);
    const type: PublicEventType[] = ['course.updated'];
    const { rows, next: cursor } = await read(teacher, { type });
    expect(rows).toEqual([]);
    await end(slow, 'commit');
    expect(idsOf((await read(teacher, { type, cursor })).rows)).toEqual([later.id]);

    await others();
    const context = { collection: 'changes', site_id, sort: 'created_at', filters: { type } };
    const [after] = cursors.open(context, (await read(teacher, { type, cursor })).next);
    const reading = { site_id, types: type, teacher: teacher.member_id, after, since: new Date(0), limit: 100 };
    const nodes = await planOf(database, (sql) => new ChangeRepository(sql).list(reading));
    const scans = nodes.filter((node) => node['Relation Name']?.startsWith('changes'));
    expect(scans.map(rowsRead)).toEqual(scans.map(() => 0));
  });

  it('stays valid for 30 days and one more after the poll that returned it, also without changes', async () => {
    const site_id = site();
    const owner = caller(site_id);
    await record(eventAt(site_id));
    const polled = new Date(Date.now() + 20 * DAY_MS);
    const { next: cursor } = await read(owner, { cursor: (await read(owner)).next }, polled);
    const at = (days: number) => read(owner, { cursor }, new Date(polled.getTime() + days * DAY_MS));
    expect(await at(31)).toMatchObject({ rows: [] });
    await expect(at(31.01)).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  it('ages within a page from the last change before it', async () => {
    const site_id = site();
    const owner = caller(site_id);
    await record(eventAt(site_id), eventAt(site_id));
    const { next: cursor } = await read(owner, { limit: 1 });
    const late = new Date(Date.now() + 31 * DAY_MS + 1);
    await expect(read(owner, { limit: 1, cursor }, late)).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  it('continues from the oldest changes that a reader without one gets', async () => {
    const site_id = site();
    const owner = caller(site_id);
    await record(...Array.from({ length: 40 }, () => eventAt(site_id)));
    const [{ created_at } = { created_at: new Date() }] = (await read(owner)).rows;
    const after = (seconds: number) => new Date(created_at.getTime() + 30 * DAY_MS + seconds * 1_000);
    const first = await read(owner, { limit: 20 }, after(-1));
    const second = await read(owner, { limit: 20, cursor: first.next }, after(4));
    expect([first.rows.length, second.rows.length, second.more]).toEqual([20, 20, false]);
  });

  it('fits sorted types in any order and repeated, and is sealed for the types as given', async () => {
    const site_id = site();
    const owner = caller(site_id);
    const sorted: PublicEventType[] = ['course.updated', 'enrollment.activated'];
    const { next: cursor } = await read(owner, { type: sorted });
    const event = eventAt(site_id);
    await record(event);
    for (const type of [sorted, sorted.toReversed(), [...sorted, ...sorted]]) {
      const { rows, next } = await read(owner, { type, cursor });
      expect(idsOf(rows)).toEqual([event.id]);
      const context = { collection: 'changes', site_id, sort: 'created_at', filters: { type } };
      expect(() => cursors.open(context, next)).not.toThrow();
    }
  });

  it('belongs to its filter and its site', async () => {
    const site_id = site();
    const { next: cursor } = await read(caller(site_id));
    await expect(read(caller(site_id), { cursor, type: ['course.created'] })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
    await expect(read(caller(site()), { cursor })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});
