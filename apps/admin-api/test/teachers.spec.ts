import { randomUUID } from 'node:crypto';
import type { Role } from '@lyceum/contracts';
import { DataSource } from 'typeorm';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';
import { newCourse, unique } from './new-course.js';
import { operator, toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const SCOPES = ['courses:read', 'courses:write', 'students:read', 'students:write'];
const UNKNOWN = '019ab3c0-0000-7000-8000-000000000000';

let api: TestApi;
let database: DataSource;
beforeAll(async () => {
  api = await startAdminApi();
  database = await new DataSource({ type: 'postgres', url: api.databaseUrl }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await api.stop();
});

async function lecturer(columns: { email?: string; member_id?: string } = {}, site = api.sites[0]): Promise<string> {
  const [row] = await database.query<{ id: string }[]>(
    `insert into lecturers (site_id, slug, name, email, member_id) values ($1, $2, 'Mei Lin', $3, $4) returning id`,
    [site.site_id, unique('lecturer'), columns.email ?? null, columns.member_id ?? null],
  );
  return row?.id ?? '';
}

async function student(courses: readonly string[]): Promise<string> {
  const { body } = await api.send('POST', '/api/v1/students', { body: { email: `${unique('student')}@example.com` } });
  const id = String(body['id']);
  for (const course_id of courses) {
    const { status } = await api.send('POST', `/api/v1/students/${id}/enrollments`, { body: { course_id } });
    expect(status).toBe(201);
  }
  return id;
}

const setLecturers = (course: string, lecturer_ids: readonly string[]) =>
  api.send('PATCH', `/api/v1/courses/${course}`, { body: { lecturer_ids } });

/** Calls tools as a member. */
function callerOf(member: { member_id: string; roles: Role[] }) {
  const call = <Result = Record<string, unknown>>(name: string, args: object) =>
    toolCaller(api).call<Result>(name, args, { scopes: SCOPES, member });
  const idsOf = async (name: string, args: object = {}) => {
    const { items } = await call<Items<{ id: string }>>(name, args);
    return items.map(({ id }) => id).toSorted();
  };
  return { call, idsOf };
}

/** A lecturer with one of two courses, in each of which is one student, and a third student in both. */
async function stage(roles: Role[] = ['lecturer']) {
  const member_id = randomUUID();
  const lecturer_id = await lecturer({ member_id });
  const own = (await newCourse(api, { lecturer_ids: [lecturer_id] })).id;
  const other = (await newCourse(api, { lecturer_ids: [await lecturer({ member_id: randomUUID() })] })).id;
  const [mine, theirs, both] = [await student([own]), await student([other]), await student([own, other])];
  return { member_id, lecturer_id, own, other, mine, theirs, both, ...callerOf({ member_id, roles }) };
}

describe.each<[Role[]]>([[['lecturer']], [['teaching_assistant', 'student']]])(
  'A member with the roles %j',
  (roles) => {
    it('sees own courses with their students and enrollments', async () => {
      const { own, mine, both, idsOf, call } = await stage(roles);
      expect(await idsOf('list_courses')).toEqual([own]);
      expect(await idsOf('list_students')).toEqual([mine, both].toSorted());
      const { items } = await call<Items<{ course_id: string }>>('list_enrollments', { student_id: both });
      expect(items.map(({ course_id }) => course_id)).toEqual([own]);
      expect(await call('get_course', { id: own })).toMatchObject({ id: own });
      expect(await call('get_student', { id: both })).toMatchObject({ id: both });
    });

    it('counts the enrollments of a student in own courses only', async () => {
      const { mine, both, call } = await stage(roles);
      const { items } = await call<Items<{ id: string; enrollments_count: number }>>('list_students', {});
      expect(items).toEqual([
        expect.objectContaining({ id: both, enrollments_count: 1 }),
        expect.objectContaining({ id: mine, enrollments_count: 1 }),
      ]);
      expect(await call('get_student', { id: both })).toMatchObject({ enrollments_count: 1 });
      const changed = await call('change_operation', {
        operation_id: 'updateStudent',
        arguments_json: JSON.stringify({ path: { id: both }, body: { tags: ['met'] } }),
      });
      expect(changed).toMatchObject({ body: { id: both, tags: ['met'], enrollments_count: 1 } });
      expect((await api.send('GET', `/api/v1/students/${both}`)).body).toMatchObject({ enrollments_count: 2 });
    });

    it('changes own courses and gets 404 for all others', async () => {
      const { own, other, theirs, both, call } = await stage(roles);
      expect(await call('update_course', { id: own, name: 'Oil' })).toMatchObject({ course: { name: 'Oil' } });
      expect(await call('publish_course', { id: own })).toMatchObject({ course: { state: 'published' } });
      const [foreign] = await database.query<{ id: string }[]>(
        'select id from enrollments where student_id = $1 and course_id = $2',
        [both, other],
      );
      for (const [name, args, hidden] of [
        ['get_course', (id: string) => ({ id }), other],
        ['update_course', (id: string) => ({ id, name: 'Oil' }), other],
        ['publish_course', (id: string) => ({ id }), other],
        ['delete_course', (id: string) => ({ id }), other],
        ['get_student', (id: string) => ({ id }), theirs],
        ['revoke_enrollment', (id: string) => ({ student_id: both, enrollment_id: id }), foreign?.id ?? ''],
      ] as const) {
        const refused = await call(name, args(hidden));
        expect([name, refused['code']]).toEqual([name, 'not_found']);
        expect(refused).toEqual(await call(name, args(UNKNOWN)));
      }
    });

    it('lists enrollments of the whole site in own courses only', async () => {
      const { own, theirs, call } = await stage(roles);
      const { items } = await call<Items<{ course_id: string }>>('list_enrollments', {});
      expect(new Set(items.map(({ course_id }) => course_id))).toEqual(new Set([own]));
      const hidden = await call('list_enrollments', { student_id: theirs });
      expect(hidden).toEqual(await call('list_enrollments', { student_id: UNKNOWN }));
      expect(hidden).toMatchObject({ items: [] });
    });

    it('refuses to create courses, set lecturers, type or place, add students or enroll them', async () => {
      const { own, mine, call } = await stage(roles);
      const { slug } = await newCourse(api);
      for (const [name, args] of [
        ['create_course', { name: 'New', slug: unique('new') }],
        ['update_course', { id: own, lecturer_ids: [] }],
        ['update_course', { id: own, course_type: 'public_access', name: 'Oil' }],
        ['update_course', { id: own, featured: true }],
        ['enroll_student', { email: 'new@example.com', course_id: own }],
        ['enroll_student', { student_id: mine, course_id: own }],
        ['enroll_students', { students: [{ student_id: mine }], course_id: own }],
      ] as const) {
        expect([name, (await call(name, args))['code']]).toEqual([name, 'forbidden']);
      }
      expect(await call('enroll_student', { student_id: mine, course_slug: slug })).toMatchObject({
        code: 'not_found',
      });
      const same = { course_type: 'paid', featured: false };
      expect(await call('update_course', { id: own, ...same })).toMatchObject({ course: same });
    });

    it('archives an own course without enrollments only', async () => {
      const { lecturer_id, own, call } = await stage(roles);
      const empty = (await newCourse(api, { lecturer_ids: [lecturer_id] })).id;
      for (const id of [own, empty]) {
        for (const move of ['publish_course', 'unpublish_course']) await call(move, { id });
      }
      expect(await call('archive_course', { id: own })).toMatchObject({ code: 'forbidden' });
      expect(await call('get_course', { id: own })).toMatchObject({ state: 'unpublished' });
      expect(await call('archive_course', { id: empty })).toMatchObject({ course: { state: 'archived' } });
    });

    it('reads a report on own courses and students only', async () => {
      const { own, other, member_id } = await stage(roles);
      const principal = { ...operator(SCOPES, api.sites[0]), member_id, roles };
      const reply = await api.events.read('prompt', 'weekly_school_report', {}, { ...api.sites[0], principal });
      const slugs = await database.query<{ id: string; slug: string }[]>(
        'select id, slug from courses where id = any($1)',
        [[own, other]],
      );
      const named = slugs.filter(({ slug }) => JSON.stringify(reply).includes(`\\"${slug}\\"`)).map(({ id }) => id);
      expect(named).toEqual([own]);
    });

    it('loses a course and its students with the response that removes the teacher', async () => {
      const { own, mine, idsOf, call } = await stage(roles);
      expect((await setLecturers(own, [])).body).toMatchObject({ lecturer_ids: [] });
      expect([await idsOf('list_courses'), await idsOf('list_students')]).toEqual([[], []]);
      expect(await call('get_course', { id: own })).toMatchObject({ code: 'not_found' });
      expect(await call('get_student', { id: mine })).toMatchObject({ code: 'not_found' });
    });
  },
);

it.each<[Role[], number]>([
  [['admin', 'lecturer'], 2],
  [['student'], 0],
])('shows a lecturer with the roles %j %i of two courses', async (roles, count) => {
  const { own, other, idsOf } = await stage(roles);
  const shown = await idsOf('list_courses');
  expect([own, other].filter((id) => shown.includes(id))).toHaveLength(count);
});

describe('The lecturers of a course', () => {
  it('sets lecturers in their order, shows them in lists and clears them', async () => {
    const ids = [await lecturer(), await lecturer(), await lecturer()].toReversed();
    const { id, etag } = await newCourse(api, { lecturer_ids: ids });
    const path = `/api/v1/courses/${id}`;
    expect((await api.send('GET', path)).body).toMatchObject({ lecturer_ids: ids });
    const same = await setLecturers(id, ids);
    expect(same.headers['etag']).toBe(etag);
    const fewer = await setLecturers(id, ids.slice(1).toReversed());
    expect(fewer.body).toMatchObject({ lecturer_ids: ids.slice(1).toReversed() });
    expect(fewer.headers['etag']).not.toBe(etag);
    const { body } = await api.send<{ data: { id: string }[] }>('GET', '/api/v1/courses?limit=1');
    expect(body.data).toMatchObject([{ id, lecturer_ids: ids.slice(1).toReversed() }]);
    expect((await api.send('DELETE', path)).status).toBe(204);
  });

  it('accepts lecturers of the site, each once', async () => {
    const [here, elsewhere] = [await lecturer(), await lecturer({}, api.sites[1])];
    const { id } = await newCourse(api, { lecturer_ids: [here] });
    for (const wrong of [[UNKNOWN], [here, elsewhere], [here, here]]) {
      const refused = await setLecturers(id, wrong);
      expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/lecturer_ids' }]]);
    }
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body).toMatchObject({ lecturer_ids: [here] });
  });

  it('accepts one of two concurrent changes by the entity tag', async () => {
    const [one, two] = [await lecturer(), await lecturer()];
    const { id, etag } = await newCourse(api, { lecturer_ids: [one] });
    const changes = [[two], [one], [two], [one]].map((ids) => setLecturers(id, ids));
    const shown = new Map([[etag, [one]]]);
    for (const { headers, body } of [...(await Promise.all(changes)), await api.send('GET', `/api/v1/courses/${id}`)]) {
      const tag = String(headers['etag']);
      expect([tag, body['lecturer_ids']]).toEqual([tag, shown.get(tag) ?? body['lecturer_ids']]);
      shown.set(tag, body['lecturer_ids'] as string[]);
    }
  });
});

describe('The member of a lecturer', () => {
  const say = (roles: Role[], person: { person_id: string; member_id: string; email: string }, version: number) =>
    api.events.sendRoles(
      { ...person, site_id: api.sites[0].site_id, name: 'Mei Lin', roles, joined_at: '2026-11-20T08:00:00.000Z' },
      version,
    );
  const person = () => ({ person_id: randomUUID(), member_id: randomUUID(), email: `${unique('mei')}@example.com` });

  async function memberBecomes(id: string, member_id: string | null): Promise<string | undefined> {
    const { headers } = await eventually(
      () => api.send('GET', `/api/v1/lecturers/${id}`),
      ({ body }) => body['member_id'] === member_id,
    );
    return headers['etag'];
  }

  it('links the member with a teaching role and the address of the lecturer while both hold', async () => {
    const mei = person();
    const [id, taken] = [
      await lecturer({ email: mei.email }),
      await lecturer({ email: mei.email, member_id: UNKNOWN }),
    ];
    const elsewhere = await lecturer({ email: mei.email }, api.sites[1]);
    await say(['student'], mei, 1);
    await say(['lecturer'], mei, 2);
    const linked = await memberBecomes(id, mei.member_id);
    await say([], mei, 3);
    expect(await memberBecomes(id, null)).not.toBe(linked);
    await say(['teaching_assistant'], mei, 4);
    await memberBecomes(id, mei.member_id);
    await memberBecomes(taken, UNKNOWN);
    const site = api.sites[1];
    const { body } = await api.send('GET', `/api/v1/lecturers/${elsewhere}`, { site });
    expect(body).toMatchObject({ member_id: null });
  });

  it('links no member with another role', async () => {
    const [mei, last] = [person(), person()];
    const [id, after] = [await lecturer({ email: mei.email }), await lecturer({ email: last.email })];
    await say(['admin', 'student'], mei, 1);
    // Events of a site arrive in order.
    await say(['lecturer'], last, 1);
    await memberBecomes(after, last.member_id);
    expect((await api.send('GET', `/api/v1/lecturers/${id}`)).body).toMatchObject({ member_id: null });
  });

  it('links the member to a lecturer that is declared after the role', async () => {
    const [mei, slug] = [person(), unique('lecturer')];
    await say(['lecturer'], mei, 1);
    const arrived = () => database.query<unknown[]>('select 1 from members where person_id = $1', [mei.person_id]);
    await eventually(async () => (await arrived()).length > 0);
    const { site_id } = api.sites[0];
    const lecturers = [{ slug, name: 'Mei Lin', email: mei.email }];
    await declare(api, { sites: [{ site_id, lecturers }] });
    const { body } = await api.send<{ data: { id: string }[] }>('GET', '/api/v1/lecturers?limit=1');
    const course = await newCourse(api, { lecturer_ids: body.data.map(({ id }) => id) });
    expect(body.data).toMatchObject([{ slug, member_id: mei.member_id }]);
    const own = await callerOf({ ...mei, roles: ['lecturer'] }).call<Items>('list_courses', {});
    expect(own.items).toMatchObject([{ slug: course.slug }]);
  });
});
