import { randomUUID } from 'node:crypto';
import { Outbox } from '@lyceum/messaging';
import { eventually } from '@lyceum/testing';
import { LecturerRows } from '#src/imports/lecturer.rows.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { deadlocks } from './crowd.js';
import { untilBlocked, withDatabase } from './database.js';
import { at } from './learner.js';
import { unique } from './new-course.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
  // Statements wait for a lock for 5 s, in which the first role event has to arrive.
  const email = address();
  const { path } = await newLecturer(email);
  await memberOf(path, await announce(email, ['lecturer']));
});
afterAll(() => api.stop());

const address = () => `${unique('mei')}@example.com`;

async function newLecturer(email: string) {
  const slug = unique('lecturer');
  const made = await api.send('POST', '/api/v1/lecturers', { body: { name: 'Mei Lin', slug, email } });
  expect(made.status).toBe(201);
  return { slug, path: `/api/v1/lecturers/${String(made.body['id'])}` };
}

/** Imports changes of lecturers by their slugs, as the worker of imports does. */
function imported(rows: readonly object[]) {
  const writer = api.service.app.get(LecturerRows, { strict: false });
  const rule = { mode: 'update_by_slug', course_id: null, plan_id: null, send_welcome_email: false } as const;
  const caller = { site_id: api.sites[0].site_id };
  const outbox = api.service.app.get(Outbox, { strict: false });
  return outbox.transaction((tx) => writer.run(caller, rows as Record<string, unknown>[], rule, tx));
}

async function announce(email: string, roles: ('lecturer' | 'student')[], member_id = randomUUID(), version = 1) {
  const who = { person_id: member_id, member_id, email, name: 'Mei Lin', site_id: api.sites[0].site_id };
  await api.events.sendRoles({ ...who, roles, joined_at: at(0) }, version);
  return member_id;
}

const memberOf = (path: string, member_id: string | null) =>
  eventually(
    () => api.send('GET', path),
    ({ body }) => body['member_id'] === member_id,
  );

/** Runs work while a transaction has locked the lecturer, until two others wait for locks. */
async function whileLocked<T>(slug: string, work: (isBlocked: () => Promise<void>) => Promise<() => Promise<T>>) {
  return withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select 1 from lecturers where slug = $1 for update', [slug]);
    const ended = await work(() => untilBlocked(client));
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await eventually(
      () => client.query(waiting),
      ({ rows }) => rows.length >= 2,
    );
    await client.query('rollback');
    return ended();
  });
}

it('gives an address by an import while a role event links another lecturer who has it', async () => {
  const email = address();
  const [moved, known] = [await newLecturer(address()), await newLecturer(email)];
  const changes = [
    { slug: moved.slug, email },
    { slug: known.slug, name: 'Lin Mei' },
  ];
  const member_id = await whileLocked(known.slug, async (isBlocked) => {
    const outcomes = imported(changes);
    await isBlocked();
    const id = await announce(email, ['lecturer']);
    return async () => {
      expect((await outcomes).map(({ kind }) => kind)).toEqual(['updated', 'updated']);
      return id;
    };
  });
  for (const { path } of [moved, known]) await memberOf(path, member_id);
});

it('leaves no link to a member who loses the teaching role while a lecturer gets the address', async () => {
  const email = address();
  const member_id = await announce(email, ['lecturer']);
  const linked = await newLecturer(email);
  await memberOf(linked.path, member_id);
  const { slug, path } = await newLecturer(address());
  await whileLocked(slug, async (isBlocked) => {
    const patched = api.send('PATCH', path, { body: { email } });
    await isBlocked();
    await announce(email, ['student'], member_id, 2);
    return async () => expect((await patched).status).toBe(200);
  });
  for (const one of [linked.path, path]) await memberOf(one, null);
});

it('causes no deadlock', async () => {
  expect(await deadlocks(api.databaseUrl, 0)).toBe(0);
});
