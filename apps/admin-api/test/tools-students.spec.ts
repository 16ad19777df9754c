import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { publishedCourse, toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const READ = { scopes: ['students:read'] };
const WRITE = { scopes: ['students:write'] };
const BOTH = { scopes: ['students:read', 'students:write'] };

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

interface Enrolled {
  readonly student: { readonly id: string; readonly email: string };
  readonly enrollment: { readonly id: string; readonly course_id: string };
}

async function enrolled(): Promise<{ student_id: string; enrollment_id: string; course_id: string; email: string }> {
  const { slug } = await publishedCourse(api);
  const email = `${randomUUID()}@example.com`;
  const { student, enrollment } = await call<Enrolled>('enroll_student', { email, course_slug: slug }, WRITE);
  return { student_id: student.id, enrollment_id: enrollment.id, course_id: enrollment.course_id, email };
}

const stateOf = async ({ student_id, enrollment_id }: { student_id: string; enrollment_id: string }) =>
  (await api.send('GET', `/api/v1/students/${student_id}/enrollments/${enrollment_id}`)).body;

describe('list_students and get_student', () => {
  it('finds a student of the site alone and reads them', async () => {
    await enrolled();
    const { email, student_id } = await enrolled();
    const found = await call<Items>('list_students', { q: email.slice(0, 20) }, READ);
    expect(found.items).toMatchObject([{ id: student_id, email, enrollments_count: 1 }]);
    expect((await call<Items>('list_students', { email }, READ)).items).toHaveLength(1);
    expect((await call<Items>('list_students', {}, { ...READ, site: api.sites[1] })).items).toEqual([]);
    expect(await call('get_student', { id: student_id }, READ)).toMatchObject({ id: student_id, email, tags: [] });
    const first = await call<Items>('list_students', { first: 1 }, READ);
    const second = await call<Items>('list_students', { first: 1, after: first.next_cursor }, READ);
    expect(second.items[0]?.['id']).not.toBe(first.items[0]?.['id']);
  });
});

describe('list_enrollments', () => {
  it('lists the enrollments of the site, of a student, and in a course', async () => {
    const { student_id, enrollment_id, course_id } = await enrolled();
    await enrolled();
    const found = [{ id: enrollment_id, student_id, course_id, state: 'active', expires_at: null }];
    for (const filter of [{ student_id }, { course_id }, { student_id, course_id }]) {
      expect((await call<Items>('list_enrollments', filter, READ)).items).toMatchObject(found);
    }
    expect((await call<Items>('list_enrollments', {}, READ)).items.length).toBeGreaterThan(1);
    expect((await call<Items>('list_enrollments', { student_id, state: 'revoked' }, READ)).items).toEqual([]);
    const elsewhere = { ...READ, site: api.sites[1] };
    for (const filter of [{}, { student_id }, { course_id }]) {
      expect((await call<Items>('list_enrollments', filter, elsewhere)).items).toEqual([]);
    }
  });
});

describe('update_enrollment and revoke_enrollment', () => {
  const until = '2999-01-01T00:00:00.000Z';

  it('sets the end of access, revokes it, and gives it back by days alone', async () => {
    const { course_id, email: _email, ...key } = await enrolled();
    expect(await call('update_enrollment', { ...key, expires_at: until }, WRITE)).toMatchObject({
      enrollment: { state: 'active', expires_at: until, has_lifetime_access: false },
    });
    const ended = await call('revoke_enrollment', key, WRITE);
    expect(ended).toMatchObject({ enrollment: { state: 'revoked' }, dry_run: false });
    expect(await call('revoke_enrollment', key, BOTH)).toEqual(ended);
    expect((await api.send('GET', `/api/v1/courses/${course_id}`)).body['enrollments_count']).toBe(0);
    expect(await call('update_enrollment', { ...key, expires_at: null }, WRITE)).toMatchObject({
      code: 'invalid_state',
      detail: expect.stringContaining('extend'),
    });
    expect(await stateOf(key)).toMatchObject({ state: 'revoked' });
    expect(await call('extend_enrollment', { ...key, days: 30 }, BOTH)).toMatchObject({
      enrollment: { id: key.enrollment_id, state: 'active', has_lifetime_access: false },
    });
    expect((await api.send('GET', `/api/v1/courses/${course_id}`)).body['enrollments_count']).toBe(1);
    const events = await api.events.of([key.enrollment_id], 4);
    expect(events.map(({ type }) => type.split('.')[2])).toEqual(['activated', 'extended', 'revoked', 'extended']);
  });

  it('adds days, and expires access until more days are added', async () => {
    const { course_id: _course, email: _email, ...key } = await enrolled();
    await call('update_enrollment', { ...key, expires_at: until }, WRITE);
    expect(await call('extend_enrollment', { ...key, days: 31 }, BOTH)).toMatchObject({
      enrollment: { expires_at: '2999-02-01T00:00:00.000Z' },
    });
    expect(await call('expire_enrollment', key, BOTH)).toMatchObject({ enrollment: { state: 'expired' } });
    const before = Date.now();
    expect(await call('extend_enrollment', { ...key, days: 1 }, WRITE)).toMatchObject({ enrollment: {} });
    const { state, expires_at } = await stateOf(key);
    expect(state).toBe('active');
    expect(Date.parse(String(expires_at)) - before).toBeGreaterThanOrEqual(86_400_000);
    const events = await api.events.of([key.enrollment_id], 5);
    const names = events.map(({ type }) => type.split('.')[2]);
    expect(names).toEqual(['activated', 'extended', 'extended', 'expired', 'extended']);
  });

  it('returns the first response for a repeated key after later changes', async () => {
    const { course_id: _course, email: _email, ...key } = await enrolled();
    const caller = { ...WRITE, person_id: randomUUID() };
    const cancel = { ...key, idempotency_key: randomUUID() };
    const first = await call('revoke_enrollment', cancel, caller);
    await call('extend_enrollment', { ...key, days: 1 }, WRITE);
    expect(await call('revoke_enrollment', cancel, caller)).toEqual(first);
    expect(await stateOf(key)).toMatchObject({ state: 'active' });
  });

  it('refuses an end in the past, and a course that was archived meanwhile', async () => {
    const { course_id, email: _email, ...key } = await enrolled();
    const past = { ...key, expires_at: '2020-01-01T00:00:00Z' };
    expect(await call('update_enrollment', past, WRITE)).toMatchObject({ code: 'validation_failed' });
    await call('revoke_enrollment', key, WRITE);
    for (const move of ['unpublish', 'archive']) await api.send('POST', `/api/v1/courses/${course_id}/${move}`);
    const again = await call('extend_enrollment', { ...key, days: 1 }, WRITE);
    expect(again).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('archived') });
    expect(await stateOf(key)).toMatchObject({ state: 'revoked' });
  });

  it.each([
    ['update_enrollment', { expires_at: null }],
    ['revoke_enrollment', {}],
  ])('returns not_found from %s for an enrollment of another student', async (tool, part) => {
    const { course_id: _course, email: _email, ...key } = await enrolled();
    const other = { ...key, ...part, student_id: (await enrolled()).student_id };
    expect(await call(tool, other, WRITE)).toMatchObject({ code: 'not_found' });
  });
});

describe('enroll_student', () => {
  it('adds an unknown student and enrolls the student once', async () => {
    const { id, slug } = await publishedCourse(api);
    const email = `${randomUUID()}@example.com`;
    const first = await call('enroll_student', { email, name: 'Mei', course_slug: slug }, WRITE);
    expect(first).toMatchObject({
      student: { email, name: 'Mei' },
      course: { id, slug },
      enrollment: { state: 'active', course_id: id },
      student_added: true,
      enrolled_before: false,
      dry_run: false,
    });
    const again = await call('enroll_student', { email: email.toUpperCase(), course_id: id }, WRITE);
    expect(again).toMatchObject({ student_added: false, enrolled_before: true });
    const { body } = await api.send('GET', `/api/v1/courses/${id}`);
    expect(body['enrollments_count']).toBe(1);
  });

  it('gives access by a plan, which decides when it ends', async () => {
    const { id } = await publishedCourse(api);
    const plan = await api.send('POST', `/api/v1/courses/${id}/plans`, {
      body: {
        name: 'x',
        plan_type: 'fixed_date',
        price: { amount_minor: 1, currency: 'TWD' },
        access_ends_at: '2999-01-01T00:00:00Z',
      },
    });
    const enroll = { course_id: id, plan_id: plan.body['id'] };
    const by = async (more: object) =>
      (await call('enroll_student', { ...enroll, email: `${randomUUID()}@example.com`, ...more }, BOTH))['enrollment'];
    expect(await by({})).toMatchObject({ plan_id: enroll.plan_id, expires_at: '2999-01-01T00:00:00.000Z' });
    expect(await by({ expires_at: null })).toMatchObject({ plan_id: enroll.plan_id, has_lifetime_access: true });
    const foreign = { plan_id: randomUUID(), email: `${randomUUID()}@example.com`, course_id: id };
    expect(await call('enroll_student', foreign, WRITE)).toMatchObject({ code: 'validation_failed' });
  });

  it('replays the response for the same key and refuses the key for another request', async () => {
    const { slug } = await publishedCourse(api);
    const args = { email: `${randomUUID()}@example.com`, course_slug: slug, idempotency_key: randomUUID() };
    const caller = { ...WRITE, person_id: randomUUID() };
    const first = await call('enroll_student', args, caller);
    expect(first).toMatchObject({ enrolled_before: false });
    expect(await call('enroll_student', args, caller)).toEqual(first);
    const other = { ...args, expires_at: '2999-01-01T00:00:00Z' };
    expect(await call('enroll_student', other, caller)).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('changes nothing in a dry run', async () => {
    const { id, slug } = await publishedCourse(api);
    const email = `${randomUUID()}@example.com`;
    const result = await call('enroll_student', { email, course_slug: slug, dry_run: true }, WRITE);
    expect(result).toMatchObject({ student_added: true, dry_run: true });
    expect((await api.send<{ data: unknown[] }>('GET', `/api/v1/students?email=${email}`)).body.data).toEqual([]);
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body['enrollments_count']).toBe(0);
  });

  it.each([
    ['neither e-mail nor id', { course_slug: 'x' }],
    ['both', { email: 'a@example.com', student_id: randomUUID(), course_slug: 'x' }],
    ['no course', { email: 'a@example.com' }],
  ])('names the required arguments for a call with %s', async (_what, args) => {
    expect(await call('enroll_student', args, WRITE)).toMatchObject({
      code: 'validation_failed',
      hint: expect.stringContaining(' or '),
    });
  });

  it('finds only courses and students of its site and requires the scope', async () => {
    const { slug } = await publishedCourse(api);
    const email = `${randomUUID()}@example.com`;
    expect(await call('enroll_student', { email, course_slug: slug }, { ...WRITE, site: api.sites[1] })).toMatchObject({
      code: 'not_found',
    });
    expect(await call('enroll_student', { student_id: randomUUID(), course_slug: slug }, WRITE)).toMatchObject({
      code: 'not_found',
    });
    expect(await call('enroll_student', { email, course_slug: slug }, READ)).toMatchObject({
      code: 'insufficient_scope',
    });
  });
});
