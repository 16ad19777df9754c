import { randomUUID } from 'node:crypto';
import type { Role } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';
import { untilBlocked, withDatabase } from './database.js';

const SCOPES = ['courses:read', 'lecturers:read', 'lecturers:write'];

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

/** A member of the first site, whom auth has announced. */
async function member(roles: Role[], site = api.sites[0]): Promise<{ member_id: string; email: string }> {
  const [member_id, email] = [randomUUID(), `${unique('member')}@example.com`];
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query(
      `insert into members
         (site_id, person_id, id, email, name, state, roles, joined_at, source_epoch, source_version)
       values ($1, $2, $3, $4, 'Mei Lin', 'active', $5, now(), 1, 1)`,
      [site.site_id, randomUUID(), member_id, email, roles],
    );
  });
  return { member_id, email };
}

async function lecturer(body: object = {}): Promise<{ id: string; path: string; member_id: string | null }> {
  const slug = unique('lecturer');
  const made = await api.send<{ id: string; member_id: string | null }>('POST', '/api/v1/lecturers', {
    body: { name: 'Mei Lin', slug, ...body },
  });
  expect(made.status).toBe(201);
  return { ...made.body, path: `/api/v1/lecturers/${made.body.id}` };
}

const callAs = (member_id: string, roles: Role[] = ['lecturer']) => {
  const caller = { scopes: SCOPES, member: { member_id, roles } };
  return <Result = Record<string, unknown>>(name: string, args: object) =>
    toolCaller(api).call<Result>(name, args, caller);
};

describe('The member of a lecturer', () => {
  it('sees the courses of the lecturer from the change of the link on, and the one before sees none', async () => {
    const [one, two] = [await member(['lecturer']), await member(['teaching_assistant'])];
    const { id, path } = await lecturer();
    const course = (await newCourse(api, { lecturer_ids: [id] })).id;
    const coursesOf = async ({ member_id }: { member_id: string }) => {
      const { items } = await callAs(member_id)<Items<{ id: string }>>('list_courses', {});
      return items.map((item) => item.id);
    };
    for (const [linked, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const changed = await api.send('PATCH', path, { body: { member_id: linked.member_id } });
      expect([changed.status, changed.body['member_id']]).toEqual([200, linked.member_id]);
      expect([await coursesOf(linked), await coursesOf(other)]).toEqual([[course], []]);
    }
    await api.send('PATCH', path, { body: { member_id: null } });
    expect(await coursesOf(two)).toEqual([]);
  });

  it('follows from the address and a teaching role when a new lecturer names no member', async () => {
    const [teacher, owner] = [await member(['lecturer']), await member(['owner'])];
    expect((await lecturer({ email: teacher.email })).member_id).toBe(teacher.member_id);
    expect((await lecturer({ email: owner.email })).member_id).toBeNull();
    const named = await lecturer({ email: teacher.email, member_id: owner.member_id });
    expect(named.member_id).toBe(owner.member_id);
  });

  it('stays unlinked after role events until the address changes', async () => {
    const who = { person_id: randomUUID(), member_id: randomUUID(), email: `${unique('teacher')}@example.com` };
    let version = 0;
    const announce = (email = who.email) => {
      const joined_at = '2026-11-20T08:00:00.000Z';
      const data = {
        ...who,
        email,
        name: 'Mei Lin',
        site_id: api.sites[0].site_id,
        roles: ['lecturer' as const],
        joined_at,
      };
      return api.events.sendRoles(data, (version += 1));
    };
    const { path } = await lecturer({ email: who.email });
    const linked = (expected: string | null, at = path) =>
      eventually(
        () => api.send('GET', at),
        ({ body }) => body['member_id'] === expected,
      );
    await announce();
    await linked(who.member_id);
    expect((await api.send('PATCH', path, { body: { member_id: null } })).body).toMatchObject({ member_id: null });
    await announce();
    // Events of a site are applied in order: the second address links only after the event before it.
    const next = await lecturer({ email: `${unique('next')}@example.com` });
    const email = String((await api.send('GET', next.path)).body['email']);
    await announce(email);
    await linked(who.member_id, next.path);
    expect((await api.send('GET', path)).body).toMatchObject({ email: who.email, member_id: null });
    const renamed = `${unique('renamed')}@example.com`;
    expect((await api.send('PATCH', path, { body: { email: renamed } })).status).toBe(200);
    await announce(renamed);
    await linked(who.member_id);
  });

  it('follows from another address of an unlinked lecturer at once', async () => {
    const [teacher, owner, linked] = [await member(['lecturer']), await member(['owner']), await member(['lecturer'])];
    const { path } = await lecturer({ email: `${unique('typo')}@example.com` });
    const patch = async (body: object, at = path) => (await api.send('PATCH', at, { body })).body['member_id'];
    expect(await patch({ email: owner.email })).toBeNull();
    expect(await patch({ email: teacher.email.toUpperCase() })).toBe(teacher.member_id);
    expect(await patch({ email: linked.email })).toBe(teacher.member_id);
    expect(await patch({ member_id: null })).toBeNull();
    expect(await patch({ title: 'Painter' })).toBeNull();
    expect(await patch({ email: teacher.email, member_id: owner.member_id })).toBe(owner.member_id);
    const put = async (body: object) => {
      const named = { name: 'Mei Lin', slug: unique('lecturer'), ...body };
      return (await api.send('PUT', `/api/v1/lecturers/by_external_id/${named.slug}`, { body: named })).body;
    };
    const made = await put({});
    expect(made['member_id']).toBeNull();
    const slug = made['slug'];
    expect(await put({ slug, email: teacher.email })).toMatchObject({ id: made['id'], member_id: teacher.member_id });
  });

  it('sees the courses of a lecturer who gets the address', async () => {
    const teacher = await member(['lecturer']);
    const { id, path } = await lecturer();
    const course = (await newCourse(api, { lecturer_ids: [id] })).id;
    const list = () => callAs(teacher.member_id)<Items<{ id: string }>>('list_courses', {});
    expect((await list()).items).toEqual([]);
    await api.send('PATCH', path, { body: { email: teacher.email } });
    expect((await list()).items).toMatchObject([{ id: course }]);
  });

  describe('who gets a teaching role at the same time', () => {
    const announce = (email: string, member_id: string) => {
      const who = { person_id: randomUUID(), member_id, email, name: 'Mei Lin', site_id: api.sites[0].site_id };
      return api.events.sendRoles({ ...who, roles: ['lecturer'], joined_at: '2026-11-20T08:00:00.000Z' }, 1);
    };
    const post = (email: string, slug = unique('lecturer')) =>
      api.send('POST', '/api/v1/lecturers', { body: { name: 'Mei Lin', slug, email } });
    const insert = `insert into lecturers (site_id, slug, name, email) values ($1, $2, 'Mei Lin', $3)`;
    const WAITING = `select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;

    it('follows when the new lecturer looks the address up first', () =>
      withDatabase(api.databaseUrl, async (client) => {
        const [email, slug, member_id] = [`${unique('mei')}@example.com`, unique('lecturer'), randomUUID()];
        await client.query('begin');
        await client.query(insert, [api.sites[0].site_id, slug, null]);
        const creation = post(email, slug);
        await untilBlocked(client);
        await announce(email, member_id);
        const applied = 'select 1 from members where email = $1';
        await eventually(
          () => client.query(`${applied} union all ${WAITING}`, [email]),
          ({ rows }) => rows.length > 0,
        );
        await client.query('rollback');
        const made = await creation;
        expect(made.status).toBe(201);
        await eventually(
          () => api.send('GET', `/api/v1/lecturers/${String(made.body['id'])}`),
          ({ body }) => body['member_id'] === member_id,
        );
      }));

    it('follows when the event looks for lecturers first', () =>
      withDatabase(api.databaseUrl, async (client) => {
        const [email, member_id] = [`${unique('mei')}@example.com`, randomUUID()];
        await client.query(insert, [api.sites[0].site_id, unique('lecturer'), email]);
        await client.query('begin');
        await client.query('select 1 from lecturers where email = $1 for update', [email]);
        await announce(email, member_id);
        await untilBlocked(client);
        const creation = post(email);
        const waits = eventually(
          () => client.query(WAITING),
          ({ rows }) => rows.length > 0,
        );
        await Promise.race([creation, waits]);
        await client.query('rollback');
        expect((await creation).body).toMatchObject({ member_id });
      }));
  });

  it('requires a member of the site who may teach', async () => {
    const { path } = await lecturer();
    const [student, elsewhere] = [await member(['student']), await member(['lecturer'], api.sites[1])];
    for (const member_id of [randomUUID(), student.member_id, elsewhere.member_id]) {
      const refused = await api.send('PATCH', path, { body: { member_id } });
      expect([refused.status, refused.body['errors']]).toMatchObject([
        422,
        [{ pointer: '/member_id', code: 'not_found' }],
      ]);
      const body = { name: 'Mei Lin', slug: unique('lecturer'), member_id };
      expect((await api.send('POST', '/api/v1/lecturers', { body })).status).toBe(422);
    }
  });
});

describe('A teacher', () => {
  it('reads and changes the own profile alone, and neither its member nor its address', async () => {
    const { member_id, email } = await member(['lecturer']);
    const other = await lecturer();
    const { id, path } = await lecturer({ member_id, email });
    const call = callAs(member_id);
    expect((await call<Items<{ id: string }>>('list_lecturers', {})).items).toMatchObject([{ id }]);
    expect(await call('update_lecturer', { id, title: 'Painter' })).toMatchObject({ lecturer: { title: 'Painter' } });
    const own = { member_id, email };
    expect(await call('update_lecturer', { id, ...own })).toMatchObject({ lecturer: own });
    for (const args of [
      { member_id: null },
      { member_id: randomUUID(), title: 'Sculptor' },
      { email: null },
      { email: `${unique('accomplice')}@example.com`, title: 'Sculptor' },
    ]) {
      expect(await call('update_lecturer', { id, ...args })).toMatchObject({ code: 'forbidden' });
    }
    expect(await call('delete_lecturer', { id })).toMatchObject({ code: 'forbidden' });
    expect(await call('create_lecturer', { name: 'New', slug: unique('new') })).toMatchObject({ code: 'forbidden' });
    expect(await call('update_lecturer', { id: other.id, title: 'Painter' })).toMatchObject({ code: 'not_found' });
    expect(await call('delete_lecturer', { id: other.id })).toMatchObject({ code: 'not_found' });
    expect((await api.send('GET', path)).body).toMatchObject({ title: 'Painter', ...own });
  });
});

describe('DELETE /lecturers/{id}', () => {
  it('keeps the only lecturer of a published course, and takes one of several off it', async () => {
    const [only, second] = [await lecturer(), await lecturer()];
    const { id } = await newCourse(api, { lecturer_ids: [only.id, second.id] });
    const draft = await newCourse(api, { lecturer_ids: [second.id] });
    const course = `/api/v1/courses/${id}`;
    await api.send('POST', `${course}/publish`);
    const { headers: before } = await api.send('GET', course);
    expect((await api.send('DELETE', second.path)).status).toBe(204);
    const shown = await api.send('GET', course);
    expect(shown.body).toMatchObject({ lecturer_ids: [only.id] });
    expect(shown.headers['etag']).not.toBe(before['etag']);
    expect((await api.send('GET', `/api/v1/courses/${draft.id}`)).body).toMatchObject({ lecturer_ids: [] });
    const refused = await api.send('DELETE', only.path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
    expect((await api.send('GET', course)).body).toMatchObject({ lecturer_ids: [only.id] });
    await api.send('POST', `${course}/unpublish`);
    expect((await api.send('DELETE', only.path)).status).toBe(204);
  });

  it('leaves a published course one of two lecturers who are deleted at one time', async () => {
    const both = [await lecturer(), await lecturer()];
    const { id } = await newCourse(api, { lecturer_ids: both.map((one) => one.id) });
    await api.send('POST', `/api/v1/courses/${id}/publish`);
    const responses = await Promise.all(both.map(({ path }) => api.send('DELETE', path)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204, 409]));
  });

  it('never leaves a course with a lecturer who is deleted while the course names them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [old, added] = [await lecturer(), await lecturer()];
      const { id } = await newCourse(api, { lecturer_ids: [old.id] });
      const path = `/api/v1/courses/${id}`;
      const [changed, deleted] = await Promise.all([
        api.send('PATCH', path, { body: { lecturer_ids: [old.id, added.id] } }),
        api.send('DELETE', added.path),
      ]);
      expect([200, 422]).toContain(changed.status);
      expect(deleted.status).toBe(204);
      expect((await api.send('GET', path)).body).toMatchObject({ lecturer_ids: [old.id] });
    }
  });
});
