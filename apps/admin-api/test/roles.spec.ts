import { randomUUID } from 'node:crypto';
import { consumersOf } from '@lyceum/contracts';
import { declaredConsumers } from '@lyceum/messaging';
import type { DeclaredConsumer } from '@lyceum/messaging';
import { eventually } from '@lyceum/testing';
import { AdminApiModule } from '#src/admin-api.module.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

type Role = 'owner' | 'student';

const person = () => ({
  person_id: randomUUID(),
  member_id: randomUUID(),
  email: `${randomUUID()}@example.com`,
  name: 'Mei Lin',
});
type Person = ReturnType<typeof person> & { student_id?: string };

function say(
  who: Person,
  roles: Role[],
  version: number,
  site = api.sites[0],
  id?: string,
  epoch?: number,
): Promise<void> {
  const data = { ...who, site_id: site.site_id, roles, joined_at: '2026-11-20T08:00:00.000Z' };
  return api.events.sendRoles(data, version, id, epoch);
}

/** Events of a site come and go in order: when this one is applied and published, so are all earlier ones. */
async function settled(): Promise<void> {
  const last = person();
  await say(last, ['student'], 1);
  const { id } = await studentOf(last.email);
  await api.events.of([String(id)], 1);
}

async function find(email: string, site = api.sites[0]): Promise<Record<string, unknown> | undefined> {
  const { body } = await api.send<{ data: Record<string, unknown>[] }>('GET', `/api/v1/students?email=${email}`, {
    site,
  });
  return body.data[0];
}

const studentOf = (email: string): Promise<Record<string, unknown>> => eventually(() => find(email));

async function added(email: string): Promise<string> {
  return String((await api.send('POST', '/api/v1/students', { body: { email } })).body['id']);
}

async function enrolled(student: string): Promise<string> {
  const course = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  const { body } = await api.send('POST', `/api/v1/students/${student}/enrollments`, {
    body: { course_id: course.body['id'] },
  });
  return String(body['id']);
}

it('declares a consumer for each of its duties and no other', () => {
  const lines = (readers: readonly Pick<DeclaredConsumer, 'reader' | 'stream' | 'events'>[]): string[] =>
    readers
      .map(({ reader, stream, events }) => `${stream} ${reader}: ${events.map(({ filter }) => filter).join(' ')}`)
      .sort();
  expect(lines(declaredConsumers(AdminApiModule.forRoot(api.config)))).toEqual(lines(consumersOf('admin-api')));
});

describe('when auth says that a person is a student', () => {
  it('links the student of the address and sends student and enrollments with the person', async () => {
    const who = person();
    const student = await added(who.email);
    const [one, other] = [await enrolled(student), await enrolled(student)];
    await say({ ...who, email: who.email.toUpperCase() }, ['student'], 1);
    const events = await api.events.of([student, one, other], 6);
    expect(
      events.map(({ type, aggregate_id, aggregate_version, data }) => [
        type.split('.')[2],
        aggregate_id,
        aggregate_version,
        data['person_id'],
      ]),
    ).toEqual([
      ['created', student, 1, null],
      ['activated', one, 1, null],
      ['activated', other, 1, null],
      ['linked', student, 2, who.person_id],
      ['linked', one, 2, who.person_id],
      ['linked', other, 2, who.person_id],
    ]);
    expect(await find(who.email)).toMatchObject({
      id: student,
      member_id: who.member_id,
      name: who.email.split('@')[0],
    });
  });

  it('publishes nothing for repeated, older or unchanged roles', async () => {
    const who = person();
    const student = await added(who.email);
    const id = randomUUID();
    await say(who, ['student'], 2, api.sites[0], id);
    await api.events.of([student], 2);
    await say(who, ['student'], 2, api.sites[0], id);
    await say(who, ['student'], 2);
    await say(who, [], 1);
    await say(who, ['student', 'owner'], 3);
    await settled();
    expect(await api.events.of([student], 2)).toHaveLength(2);
    expect(await find(who.email)).toMatchObject({ state: 'active', member_id: who.member_id });
  });

  it('applies events of a restored auth, and ignores older ones', async () => {
    const who = person();
    await say(who, ['student'], 5);
    await studentOf(who.email);
    await say(who, [], 3, api.sites[0], undefined, 2);
    await settled();
    expect(await find(who.email)).toMatchObject({ state: 'removed' });
    await say(who, ['student'], 6);
    await settled();
    expect(await find(who.email)).toMatchObject({ state: 'removed' });
  });

  it('adds a student whom only auth knows, without a mail', async () => {
    const who = person();
    await say(who, ['student'], 1);
    const student = await studentOf(who.email);
    expect(student).toMatchObject({ member_id: who.member_id, name: 'Mei Lin', state: 'active' });
    const [event] = await api.events.of([String(student['id'])], 1);
    expect(event).toMatchObject({
      type: 'school.student.created.v1',
      data: { person_id: who.person_id, send_welcome_email: false },
    });
    expect(await find(who.email, api.sites[1])).toBeUndefined();
  });

  it('adds no student for another role and links the person when an operator adds them', async () => {
    const who = person();
    await say(who, ['owner'], 1);
    await settled();
    expect(await find(who.email)).toBeUndefined();
    await added(who.email);
    expect(await find(who.email)).toMatchObject({ member_id: who.member_id });
    await say(who, ['owner', 'student'], 2);
    await settled();
    expect(await find(who.email)).toMatchObject({ state: 'active' });
  });
});

describe('when an operator corrects the address of a student', () => {
  const patch = (id: string, body: object) => api.send('PATCH', `/api/v1/students/${id}`, { body });

  async function linked(id: string): Promise<unknown> {
    return eventually(async () => (await api.send('GET', `/api/v1/students/${id}`)).body['member_id']);
  }

  it('ends the link to the person and links the person of the new address', async () => {
    const [before, after] = [person(), person()];
    const student = await added(before.email);
    const enrollment = await enrolled(student);
    await say({ ...before, student_id: student }, ['student'], 1);
    expect(await linked(student)).toBe(before.member_id);
    expect((await patch(student, { email: after.email })).body).toMatchObject({ email: after.email, member_id: null });
    await say({ ...before, student_id: student }, [], 2);
    await settled();
    expect(await find(after.email)).toMatchObject({ id: student, state: 'active', member_id: null });
    await say({ ...after, student_id: student }, ['student'], 1);
    expect(await linked(student)).toBe(after.member_id);
    expect(await find(before.email)).toBeUndefined();
    const events = await api.events.of([enrollment], 3);
    expect(events.map(({ data }) => data['person_id'])).toEqual([null, before.person_id, after.person_id]);
  });

  it('adds no student for the former address when a late role event arrives', async () => {
    const [before, after] = [person(), person()];
    const student = await added(before.email);
    await patch(student, { email: after.email });
    await say({ ...before, student_id: student }, ['student'], 1);
    await say(before, ['student', 'owner'], 2);
    await settled();
    expect(await find(before.email)).toBeUndefined();
    expect(await find(after.email)).toMatchObject({ id: student, member_id: null });
  });
});

describe('when a person loses the role of a student', () => {
  it('removes the student, and restoring makes the student active', async () => {
    const who = person();
    await say(who, ['student'], 1);
    const { id } = await studentOf(who.email);
    await say(who, [], 2);
    await settled();
    expect(await find(who.email)).toMatchObject({ id, state: 'removed' });
    const enroll = await api.send('POST', `/api/v1/students/${String(id)}/enrollments`, {
      body: { course_id: randomUUID() },
    });
    expect(enroll.body['code']).toBe('invalid_state');
    const again = await api.send('POST', '/api/v1/students', { body: { email: who.email } });
    expect([again.status, again.body]).toMatchObject([409, { errors: [{ id }] }]);
    const path = `/api/v1/students/${String(id)}/restore`;
    const restored = await api.send('POST', path, { body: { send_welcome_email: true } });
    expect([restored.status, restored.body['state']]).toEqual([200, 'active']);
    for (const again of [{}, { body: {} }]) {
      expect((await api.send('POST', path, again)).headers['etag']).toBe(restored.headers['etag']);
    }
    const events = await api.events.of([String(id)], 3);
    expect(events.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['school.student.created.v1', 1],
      ['school.student.removed.v1', 2],
      ['school.student.updated.v1', 3],
    ]);
    expect(events[2]?.data['send_welcome_email']).toBe(true);
  });

  it('keeps a student whom an operator has just added, before auth gives the role', async () => {
    const who = person();
    await say(who, ['owner'], 1);
    await settled();
    await added(who.email);
    await say(who, ['owner'], 2);
    await settled();
    expect(await find(who.email)).toMatchObject({ state: 'active' });
  });
});

describe('when a person gets another address', () => {
  it('changes the address of the student and frees the old one', async () => {
    const who = person();
    await say(who, ['student'], 1);
    const { id } = await studentOf(who.email);
    const email = `${randomUUID()}@example.com`;
    await say({ ...who, email }, ['student'], 2);
    expect(await studentOf(email)).toMatchObject({ id, member_id: who.member_id });
    expect((await api.send('POST', '/api/v1/students', { body: { email: who.email } })).status).toBe(201);
  });

  it('links the next person of the address after the event of the first one', async () => {
    const [first, next] = [person(), person()];
    await say(first, ['student'], 1);
    await studentOf(first.email);
    await say({ ...next, email: first.email }, ['student'], 1);
    await say({ ...first, email: `${randomUUID()}@example.com` }, ['student'], 2);
    await eventually(
      () => find(first.email),
      (found) => found?.['member_id'] === next.member_id,
    );
    expect(await find(first.email)).toMatchObject({ member_id: next.member_id });
  });
});
