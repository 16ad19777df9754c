import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DataSource } from 'typeorm';
import { AccessService } from '#src/enrollments/access.service.js';
import type { AccessSource, GivenAccess } from '#src/enrollments/gift.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';

let api: TestApi;
let access: AccessService;
beforeAll(async () => {
  api = await startAdminApi();
  access = api.service.app.get(AccessService, { strict: false });
});
afterAll(() => api.stop());

const SOON = new Date('2998-01-01T00:00:00.000Z');
const LATE = new Date('2999-01-01T00:00:00.000Z');
const source = (of: AccessSource['source'] = 'order'): AccessSource => ({ source: of, source_id: randomUUID() });
const within = <T>(run: (tx: EntityManager) => Promise<T>): Promise<T> =>
  api.service.app.get(DataSource).transaction(run);

type Pair = Readonly<Record<'student_id' | 'course_id', string>>;

async function course(): Promise<string> {
  const { body } = await api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
  return String(body['id']);
}

async function pair(): Promise<Pair> {
  const { body } = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
  return { student_id: String(body['id']), course_id: await course() };
}

const giveOne = (of: Pair, given: Omit<GivenAccess, 'course_id'>) =>
  within(async (tx) => (await access.give(api.sites[0], of, [{ ...given, course_id: of.course_id }], tx))[0]!);
const give = (
  of: Pair,
  from: AccessSource,
  ends_at: Date | null = null,
  starts_at = new Date('2026-01-01T00:00:00Z'),
) => giveOne(of, { ...from, plan_id: null, starts_at, ends_at });
const takeBack = (from: AccessSource & { course_id?: string }, site = api.sites[0]) =>
  within((tx) => access.takeBack(site, from, tx));
const enroll = ({ student_id, course_id }: Pair, body: object = {}) =>
  api.send('POST', `/api/v1/students/${student_id}/enrollments`, { body: { course_id, ...body } });

async function read({ student_id, course_id }: Pair): Promise<Record<string, unknown>> {
  const query = `student_id=${student_id}&course_id=${course_id}`;
  const { body } = await api.send<{ data: Record<string, unknown>[] }>('GET', `/api/v1/enrollments?${query}`);
  return body.data[0] ?? {};
}

async function counts({ student_id, course_id }: Pair): Promise<unknown[]> {
  const [student, taken] = await Promise.all([
    api.send('GET', `/api/v1/students/${student_id}`),
    api.send('GET', `/api/v1/courses/${course_id}`),
  ]);
  return [student, taken].map(({ body }) => body['enrollments_count']);
}

const names = async (id: string, count: number): Promise<unknown[]> =>
  (await api.events.of([id], count)).map(({ type }) => type.split('.')[2]);

describe('access by a source', () => {
  it('opens, counts and publishes an enrollment once', async () => {
    const [of, order] = [await pair(), source()];
    const first = await give(of, order, SOON);
    expect(first).toMatchObject({ changed: true, created: true });
    expect(await give(of, order, SOON)).toMatchObject({ changed: false, created: false });
    expect(await read(of)).toMatchObject({
      state: 'active',
      source: 'purchase',
      expires_at: SOON.toISOString(),
      has_lifetime_access: false,
      grants: [{ ...order, ends_at: SOON.toISOString(), revoked_at: null }],
    });
    expect(await counts(of)).toEqual([1, 1]);
    expect(await names(first.row.id, 1)).toEqual(['activated']);
  });

  it('keeps one grant for many concurrent requests', async () => {
    const [of, order] = [await pair(), source()];
    const given = await Promise.all(Array.from({ length: 6 }, () => give(of, order)));
    expect(given.filter(({ created }) => created)).toHaveLength(1);
    expect((await read(of))['grants']).toHaveLength(1);
    expect(await counts(of)).toEqual([1, 1]);
  });

  it('moves the end of access by a renewal', async () => {
    const [of, subscription] = [await pair(), source('subscription')];
    const { row } = await give(of, subscription, SOON);
    expect(await give(of, subscription, LATE)).toMatchObject({ changed: true });
    expect(await read(of)).toMatchObject({ expires_at: LATE.toISOString(), grants: [subscription] });
    expect(await names(row.id, 2)).toEqual(['activated', 'extended']);
  });

  it('keeps the access of an operator when that of an order is revoked, and vice versa', async () => {
    const [of, order] = [await pair(), source()];
    await give(of, order, LATE);
    const enrolled = await enroll(of, { expires_at: SOON.toISOString() });
    expect([enrolled.status, enrolled.body]).toMatchObject([
      200,
      { expires_at: LATE.toISOString(), source: 'purchase', grants: [order, { source: 'manual', source_id: null }] },
    ]);
    const again = await enroll(of, { expires_at: SOON.toISOString() });
    expect([again.body, again.headers['etag']]).toEqual([enrolled.body, enrolled.headers['etag']]);
    expect(await takeBack(order)).toHaveLength(1);
    expect(await read(of)).toMatchObject({ state: 'active', expires_at: SOON.toISOString() });
    expect(await takeBack(order)).toEqual([]);
    expect(await counts(of)).toEqual([1, 1]);

    const [other, membership] = [await pair(), source('membership')];
    await enroll(other);
    await give(other, membership, SOON);
    expect(await read(other)).toMatchObject({ source: 'manual', has_lifetime_access: true });
    await takeBack(membership);
    expect(await read(other)).toMatchObject({ state: 'active', has_lifetime_access: true });
  });

  it('ends access with its only grant, and ignores a late repeat', async () => {
    const [of, order] = [await pair(), source()];
    const { row } = await give(of, order);
    await takeBack(order);
    expect(await read(of)).toMatchObject({ state: 'revoked', has_lifetime_access: false });
    expect(await counts(of)).toEqual([0, 0]);
    expect(await give(of, order)).toMatchObject({ changed: false });
    expect((await read(of))['state']).toBe('revoked');
    expect(await give(of, source('membership'), SOON)).toMatchObject({ changed: true, created: false });
    expect(await read(of)).toMatchObject({ id: row.id, state: 'active', source: 'membership' });
    expect(await names(row.id, 3)).toEqual(['activated', 'revoked', 'activated']);
  });

  it('revokes access in one course or in all, at its own site only', async () => {
    const [one, order] = [await pair(), source()];
    const two = { ...one, course_id: await course() };
    const three = await pair();
    for (const each of [one, two, three]) await give(each, order);
    expect(await takeBack(order, api.sites[1])).toEqual([]);
    expect(await takeBack({ ...order, course_id: one.course_id })).toMatchObject([one]);
    expect([(await read(one))['state'], (await read(two))['state']]).toEqual(['revoked', 'active']);
    expect(await takeBack(order)).toHaveLength(2);
    expect(await counts(three)).toEqual([0, 0]);
  });

  it('takes the end and the plan of a bought plan, and publishes another plan of a renewal', async () => {
    const [of, order] = [await pair(), source('subscription')];
    const path = `/api/v1/courses/${of.course_id}/plans`;
    const plan = async (body: object, at = path): Promise<string> =>
      String((await api.send('POST', at, { body: { name: 'x', ...body } })).body['id']);
    const [days, free] = [
      await plan({ plan_type: 'specific_length', price: { amount_minor: 1, currency: 'TWD' }, access_days: 3650 }),
      await plan({ plan_type: 'free' }),
    ];
    const buy = (plan_id: string, starts_at = new Date('2026-01-01T00:00:00Z')) =>
      giveOne(of, { ...order, plan_id, starts_at });
    const { row } = await buy(days);
    expect(await buy(days)).toMatchObject({ changed: false });
    expect(await read(of)).toMatchObject({ plan_id: days, expires_at: '2035-12-30T00:00:00.000Z' });
    expect(await buy(free)).toMatchObject({ changed: true });
    expect(await read(of)).toMatchObject({ plan_id: free, grants: [{ plan_id: free, ends_at: null }] });
    const foreign = await plan({ plan_type: 'free' }, `/api/v1/courses/${await course()}/plans`);
    await expect(buy(foreign)).rejects.toMatchObject({ errors: [expect.objectContaining({ pointer: '/plan_id' })] });
    expect((await api.events.of([row.id], 2)).map(({ type, data }) => [type.split('.')[2], data['plan_id']])).toEqual([
      ['activated', days],
      ['extended', free],
    ]);
  });

  it('writes access in the transaction of its source', async () => {
    const of = await pair();
    const failing = within(async (tx) => {
      const given = { ...source(), course_id: of.course_id, plan_id: null, starts_at: new Date() };
      await access.give(api.sites[0], of, [given], tx);
      throw new Error('The order cannot be recorded');
    });
    await expect(failing).rejects.toThrow('The order cannot be recorded');
    expect(await read(of)).toEqual({});
    expect(await counts(of)).toEqual([0, 0]);
  });

  it('requires a course of the site that is not archived, except for a renewal', async () => {
    const [of, order] = [await pair(), source()];
    await expect(give({ ...of, course_id: randomUUID() }, order)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(give({ ...of, student_id: randomUUID() }, order)).rejects.toMatchObject({ code: 'not_found' });
    await give(of, order, SOON);
    for (const move of ['publish', 'unpublish', 'archive']) {
      await api.send('POST', `/api/v1/courses/${of.course_id}/${move}`);
    }
    await expect(give(of, source())).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(give({ ...(await pair()), course_id: of.course_id }, source())).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await give(of, order, LATE)).toMatchObject({ changed: true });
  });
});

describe('an operator who changes when access ends', () => {
  const patch = (path: string, expires_at: Date | null) => api.send('PATCH', path, { body: { expires_at } });

  it('adds a grant to that of an order, shortens both and revokes both', async () => {
    const [of, order] = [await pair(), source()];
    const { row } = await give(of, order, SOON);
    const path = `/api/v1/students/${of.student_id}/enrollments/${row.id}`;
    expect((await patch(path, LATE)).body).toMatchObject({
      expires_at: LATE.toISOString(),
      grants: [
        { ...order, ends_at: SOON.toISOString() },
        { source: 'manual', ends_at: LATE.toISOString() },
      ],
    });
    const earlier = new Date('2997-01-01T00:00:00.000Z');
    expect((await patch(path, earlier)).body).toMatchObject({
      expires_at: earlier.toISOString(),
      grants: [{ ends_at: earlier.toISOString() }, { ends_at: earlier.toISOString() }],
    });
    const { body } = await api.send('POST', `${path}/revoke`);
    expect(body).toMatchObject({ state: 'revoked' });
    expect((body['grants'] as { revoked_at: string | null }[]).map(({ revoked_at }) => revoked_at)).toEqual([
      body['expires_at'],
      body['expires_at'],
    ]);
  });

  it('refuses an end before the beginning of pending access', async () => {
    const of = await pair();
    const { row } = await give(of, source(), LATE, SOON);
    const path = `/api/v1/students/${of.student_id}/enrollments/${row.id}`;
    expect((await patch(path, SOON)).body).toMatchObject({ code: 'validation_failed' });
    const between = new Date('2998-06-01T00:00:00.000Z');
    expect((await patch(path, between)).body).toMatchObject({ state: 'pending', expires_at: between.toISOString() });
  });
});

describe('time', () => {
  /** Lets a span of time pass for an enrollment. */
  const pass = (id: string, span: string) =>
    withDatabase(api.databaseUrl, async (client) => {
      await client.query(
        `update access_grants set starts_at = starts_at - $2::interval, ends_at = ends_at - $2::interval where enrollment_id = $1`,
        [id, span],
      );
      await client.query(
        `update enrollments set started_at = started_at - $2::interval, expires_at = expires_at - $2::interval,
           changes_at = changes_at - $2::interval where id = $1`,
        [id, span],
      );
    });
  const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);

  it('shows in every read that access begins, ends and begins again', async () => {
    const of = await pair();
    const { row } = await give(of, source(), hours(4), hours(2));
    await give(of, source('membership'), hours(8), hours(6));
    const states: unknown[] = [];
    const look = async (): Promise<void> => {
      const path = `/api/v1/enrollments/${row.id}`;
      const one = await api.send('GET', path);
      const listed = await api.send<{ data: { id: string }[] }>(
        'GET',
        `/api/v1/enrollments?student_id=${of.student_id}&state=${String(one.body['state'])}`,
      );
      expect((await read(of))['state']).toBe(one.body['state']);
      states.push([one.body['state'], listed.body.data.length, (await counts(of))[0]]);
    };
    await look();
    for (let turn = 0; turn < 4; turn += 1) {
      await pass(row.id, '2 hours');
      await look();
      expect(await access.followClock(10)).toBe(1);
      expect(await access.followClock(10)).toBe(0);
      await look();
    }
    expect(states).toEqual([
      ['pending', 1, 1],
      ['active', 0, 1],
      ['active', 1, 1],
      ['expired', 0, 1],
      ['expired', 1, 0],
      ['active', 0, 0],
      ['active', 1, 1],
      ['expired', 0, 1],
      ['expired', 1, 0],
    ]);
    expect(await names(row.id, 5)).toEqual(['activated', 'activated', 'expired', 'activated', 'expired']);
  });

  it('changes the entity tag for readers, and not for editors', async () => {
    const of = await pair();
    const { row } = await give(of, source(), hours(2));
    const path = `/api/v1/students/${of.student_id}/enrollments/${row.id}`;
    const { headers } = await api.send('GET', path);
    await pass(row.id, '3 hours');
    const { etag = '' } = headers;
    expect((await api.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
    const edit = { body: { expires_at: LATE }, headers: { 'if-match': etag } };
    expect((await api.send('PATCH', path, edit)).body).toMatchObject({ state: 'active' });
  });
});
