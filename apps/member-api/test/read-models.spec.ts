import { consumersOf } from '@lyceum/contracts';
import { declaredConsumers } from '@lyceum/messaging';
import type { DeclaredConsumer } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { MemberApiModule } from '#src/member-api.module.js';
import { startMemberApi } from './member-api.js';
import type { Data, Person, TestApi } from './member-api.js';

const QUERY = `{ viewer {
  name unreadNotificationCount
  enrolledCourses { nodes { id slug name state } }
  notifications { nodes { title url subject { ... on EnrolledCourse { id } } } }
} }`;

let api: TestApi;
let database: pg.Client;

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
});
afterAll(() => api.stop());

const site_id = () => api.sites[0].site_id;
const callerOf = async (person: Person) => ({ token: await api.token({ person }) });
const until = async (person: Person, done: (data: Data) => boolean) => api.until(QUERY, done, await callerOf(person));
const courses = (data: Data): string[] => data.viewer?.enrolledCourses.nodes.map(({ slug }: Data) => slug) ?? [];

/** Publishes another event to the same consumers and waits for it, so that all earlier events have been applied. */
async function settled(): Promise<void> {
  const marker = { person_id: uuidv7(), site_id: site_id() };
  const { course_id } = await api.world.course({ site_id: marker.site_id });
  await Promise.all([api.world.person({ person_id: marker.person_id }), api.world.role(marker)]);
  await api.world.enrollment({ ...marker, course_id });
  const applied = `people JOIN memberships USING (person_id) JOIN enrollments USING (person_id)
    JOIN courses USING (course_id) WHERE person_id = $1`;
  await eventually(async () => (await count(applied, [marker.person_id])) > 0);
}

async function count(text: string, values: unknown[]): Promise<number> {
  const { rows } = await database.query<{ count: string }>(`SELECT count(*) FROM ${text}`, values);
  return Number(rows[0]?.count);
}

/** Ids without any event yet. */
function people(): [Person, Person] {
  return [api.student(api.sites[0], 'own'), api.student(api.sites[0], 'both')];
}

it('declares exactly the consumers of its read models and notifications', () => {
  const lines = (readers: readonly Pick<DeclaredConsumer, 'reader' | 'stream' | 'events'>[]): string[] =>
    readers
      .map(({ reader, stream, events }) => `${stream} ${reader}: ${events.map(({ filter }) => filter).join(' ')}`)
      .sort();
  expect(lines(declaredConsumers(MemberApiModule.forRoot(api.config)))).toEqual(lines(consumersOf('member-api')));
});

describe('events', () => {
  it('shows an enrollment after its course, person and membership arrive in any order', async () => {
    const [person] = people();
    const { person_id } = person;
    const course_id = uuidv7();
    const enrollment = await api.world.enrollment({ site_id: site_id(), person_id, course_id });
    await api.world.role({ person_id, site_id: site_id(), name: 'Ada' });
    await settled();
    expect((await api.query(QUERY, await callerOf(person))).body.data).toEqual({ viewer: null });
    await api.world.person({ person_id });
    const bare = await until(person, ({ viewer }) => viewer !== null);
    expect(bare.viewer).toMatchObject({
      name: 'Ada',
      enrolledCourses: { nodes: [] },
      notifications: { nodes: [] },
      unreadNotificationCount: 0,
    });
    await api.world.course({ site_id: site_id(), course_id, slug: 'knots', name: 'Knots' });
    const data = await until(person, ({ viewer }) => viewer.notifications.nodes.length > 0);
    expect(data.viewer).toEqual({
      name: 'Ada',
      unreadNotificationCount: 1,
      enrolledCourses: {
        nodes: [{ id: `enr_${enrollment.enrollment_id}`, slug: 'knots', name: 'Knots', state: 'ACTIVE' }],
      },
      notifications: {
        nodes: [
          {
            title: 'You are enrolled in Knots',
            url: null,
            subject: { id: `enr_${enrollment.enrollment_id}` },
          },
        ],
      },
    });
  });

  it('ignores older and repeated events', async () => {
    const [person] = people();
    const { person_id } = person;
    const id = uuidv7();
    const named = (name: string) => ({ person_id, site_id: site_id(), name });
    for (let n = 0; n < 3; n += 1) await api.world.role(named('New'), { version: 9, id });
    await api.world.role(named('Old'), { version: 8 });
    await api.world.role(named('Same'), { version: 9 });
    await settled();
    const data = await until(person, () => true);
    expect(data.viewer.name).toBe('New');
  });

  it('skips events of an unlinked student, and notifies once after linking', async () => {
    const [, person] = people();
    const { person_id } = person;
    await api.world.person({ person_id });
    await api.world.role({ person_id, site_id: site_id() });
    const { course_id } = await api.world.course({ site_id: site_id(), slug: 'stars' });
    const first = await api.world.enrollment({ site_id: site_id(), person_id: null, course_id });
    const enrollment = { ...first, person_id };
    await settled();
    expect(await count('enrollments WHERE enrollment_id = $1', [first.enrollment_id])).toBe(0);

    const linked = { version: 2, name: 'linked', id: uuidv7() };
    await Promise.all([1, 2, 3].map(() => api.world.enrollment(enrollment, linked)));
    await api.world.enrollment(enrollment, { version: 3, name: 'extended' });
    await api.world.enrollment(enrollment, { version: 4, name: 'republished' });
    await api.world.enrollment({ ...enrollment, state: 'expired' }, { version: 5, name: 'expired' });
    await api.world.enrollment(enrollment, { version: 6, name: 'activated' });
    await api.world.course(
      { site_id: site_id(), course_id, slug: 'stars', name: 'Renamed' },
      { version: 2, name: 'updated' },
    );
    await settled();
    const data = await until(person, ({ viewer }) => viewer.enrolledCourses.nodes[0]?.name === 'Renamed');
    expect([data.viewer.notifications.nodes.length, data.viewer.unreadNotificationCount]).toEqual([1, 1]);
  });

  it('notifies once when an enrollment and its course arrive concurrently', async () => {
    const person_id = uuidv7();
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const course_id = uuidv7();
        await Promise.all([
          api.world.enrollment({ site_id: site_id(), person_id, course_id }),
          api.world.course({ site_id: site_id(), course_id }),
        ]);
      }),
    );
    await settled();
    expect(await count('notifications WHERE person_id = $1', [person_id])).toBe(30);
    const { rows } = await database.query('SELECT unread FROM inbox_counts WHERE person_id = $1', [person_id]);
    expect(rows).toEqual([{ unread: 30 }]);
  });

  it('sends no notification for a pending enrollment or a draft course', async () => {
    const person_id = uuidv7();
    const open = await api.world.course({ site_id: site_id() });
    const draft = await api.world.course({ site_id: site_id(), state: 'draft' });
    const pending = await api.world.enrollment({
      site_id: site_id(),
      person_id,
      course_id: open.course_id,
      state: 'pending',
    });
    await api.world.enrollment({ site_id: site_id(), person_id, course_id: draft.course_id });
    await settled();
    expect(await count('notifications WHERE person_id = $1', [person_id])).toBe(0);
    await api.world.enrollment({ ...pending, state: 'active' }, { version: 2 });
    await api.world.course({ ...draft, state: 'published' }, { version: 2, name: 'published' });
    await settled();
    expect(await count('notifications WHERE person_id = $1', [person_id])).toBe(2);
  });

  it('removes a revoked enrollment and a deleted course', async () => {
    const [, person] = people();
    const { person_id } = person;
    const [one, two] = await Promise.all(['one', 'two'].map((slug) => api.world.course({ site_id: site_id(), slug })));
    if (one === undefined || two === undefined) throw new Error('There are two');
    const revoked = await api.world.enrollment({ site_id: site_id(), person_id, course_id: one.course_id });
    await api.world.enrollment({ site_id: site_id(), person_id, course_id: two.course_id });
    await until(person, (data) => courses(data).length === 3);
    await api.world.enrollment({ ...revoked, state: 'revoked' }, { version: 2, name: 'revoked' });
    await until(person, (data) => courses(data).toString() === 'two,stars' || courses(data).toString() === 'stars,two');
    await api.world.course({ ...two, state: 'deleted' }, { version: 2, name: 'deleted' });
    const data = await until(person, (now) => courses(now).toString() === 'stars');
    const subjects = data.viewer.notifications.nodes.map(({ subject }: Data) => subject === null);
    expect(subjects.filter(Boolean)).toHaveLength(2);
  });
});

describe('a person', () => {
  const gone = ({ viewer }: Data) => viewer === null;
  const here = ({ viewer }: Data) => viewer !== null;

  it.each(['suspended', 'deleted'] as const)(
    'hides a person who is %s until a later event reverts it',
    async (state) => {
      const [person] = people();
      const { person_id } = person;
      const version = state === 'suspended' ? 100 : 200;
      await api.world.person({ person_id }, { version });
      await until(person, here);
      await api.world.person({ person_id, state, email: '', name: '' }, { version: version + 1, name: state });
      await until(person, gone);
      const mutation = 'mutation { markNotificationRead(input: { notificationId: "x" }) { userErrors { code } } }';
      const { body } = await api.query(mutation, await callerOf(person));
      expect(body.data.markNotificationRead.userErrors).toEqual([{ code: 'NOT_FOUND' }]);
      await api.world.person({ person_id }, { version: version + 2, name: 'reinstated' });
      await until(person, here);
    },
  );

  it('hides a person without a role at the site', async () => {
    const [, person] = people();
    const { person_id } = person;
    await api.world.role({ person_id, site_id: site_id(), roles: [] }, { version: 7 });
    await until(person, gone);
    await api.world.role({ person_id, site_id: site_id(), roles: ['student'] }, { version: 6 });
    await settled();
    expect((await api.query(QUERY, await callerOf(person))).body.data).toEqual({ viewer: null });
    await api.world.role({ person_id, site_id: site_id(), roles: ['student'] }, { version: 8 });
    await until(person, here);
  });

  it('hides a person while their membership is suspended', async () => {
    const [, person] = people();
    const membership = { person_id: person.person_id, site_id: site_id(), roles: ['student' as const] };
    await api.world.role({ ...membership, state: 'suspended' }, { version: 9 });
    await until(person, gone);
    expect((await api.query(QUERY, await callerOf(person))).body.data).toEqual({ viewer: null });
    await api.world.role({ ...membership, state: 'active' }, { version: 10 });
    await until(person, here);
  });

  it('erases name and address of a deleted person', async () => {
    const person_id = uuidv7();
    await api.world.person({ person_id, name: 'Secret', email: 'secret@example.org' });
    await api.world.person(
      { person_id, name: 'Secret', email: 'secret@example.org', state: 'deleted' },
      { version: 2 },
    );
    await settled();
    const { rows } = await database.query('SELECT name, email, state FROM people WHERE person_id = $1', [person_id]);
    expect(rows).toEqual([{ name: '', email: '', state: 'deleted' }]);
  });
});
