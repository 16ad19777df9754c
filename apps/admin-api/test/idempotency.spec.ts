import type { ReceivedResponse } from '@lyceum/testing';
import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked, withDatabase } from './database.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

let counter = 0;
const newCourse = () => ({ name: 'A course', slug: `keyed-${++counter}` });

function post(key: string, body: unknown, path = '/api/v1/courses', site = api.sites[0]): Promise<ReceivedResponse> {
  return api.send('POST', path, { site, body, headers: { 'idempotency-key': key } });
}

/** The response without members that differ between two requests. */
const ending = ({ status, body, headers }: ReceivedResponse) => ({
  status,
  body: { ...body, request_id: undefined },
  etag: headers['etag'],
  location: headers['location'],
});

describe('an Idempotency-Key', () => {
  it('replays the first response with status and headers and changes nothing', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    const first = await post(key, body);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const again = await post(key, body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(ending(again)).toEqual(ending(first));
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await api.events.of([String(first.body['id'])], 1)).toHaveLength(1);
  });

  it('makes one change of concurrent requests; the others wait or get 409', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    const responses = await Promise.all(Array.from({ length: 8 }, () => post(key, body)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    const made = responses.filter(({ status }) => status === 201);
    expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const { body: problem, headers } of responses.filter(({ status }) => status === 409)) {
      expect([problem['code'], headers['retry-after']]).toEqual(['idempotency_in_progress', '1']);
    }
    expect(new Set(made.map(({ body: course }) => course['id'])).size).toBe(1);
    expect((await post(key, body)).headers['idempotent-replayed']).toBe('true');
  });

  it('returns 409 while the first request is running', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    await withDatabase(api.databaseUrl, async (client) => {
      // The first request has its key and waits for the lock of the table.
      await client.query('begin; lock table courses in access exclusive mode');
      const running = post(key, body);
      await untilBlocked(client);
      const meanwhile = await post(key, body);
      await client.query('rollback');
      expect([meanwhile.status, meanwhile.body['code']]).toEqual([409, 'idempotency_in_progress']);
      expect((await running).status).toBe(201);
    });
    expect((await post(key, body)).headers['idempotent-replayed']).toBe('true');
  });

  it('returns 422 with another body', async () => {
    const key = randomUUID();
    await post(key, newCourse());
    const other = await post(key, newCourse());
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  });

  it('separates keys by path, client and site', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    const first = await post(key, body);
    const student = await post(key, { email: `${randomUUID()}@example.com` }, '/api/v1/students');
    expect([student.status, student.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const elsewhere = await post(key, body, '/api/v1/courses', api.sites[1]);
    expect([elsewhere.status, elsewhere.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(elsewhere.body['id']).not.toBe(first.body['id']);
  });

  it('replays a refusal that depends on the state', async () => {
    const { body } = await post(randomUUID(), newCourse());
    const path = `/api/v1/courses/${String(body['id'])}/unpublish`;
    const key = randomUUID();
    const refused = await post(key, undefined, path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
    await api.send('POST', path.replace('unpublish', 'publish'));
    const again = await post(key, undefined, path);
    expect([ending(again), again.headers['idempotent-replayed']]).toEqual([ending(refused), 'true']);
    expect((await post(randomUUID(), undefined, path)).status).toBe(200);
  });

  it('stores nothing for an invalid body', async () => {
    const key = randomUUID();
    expect((await post(key, { name: 'x' })).status).toBe(422);
    expect((await post(key, newCourse())).status).toBe(201);
  });

  it('stores nothing for a body that the service refuses: the corrected one has the same key', async () => {
    const key = randomUUID();
    const event = (ends_at: string) => ({
      name: 'An event',
      slug: `keyed-${++counter}`,
      hosting_type: 'in_person',
      starts_at: '2040-01-02T10:00:00Z',
      ends_at,
    });
    const refused = await post(key, event('2040-01-02T09:00:00Z'), '/api/v1/events');
    expect([refused.status, refused.body['code']]).toEqual([422, 'validation_failed']);
    const corrected = await post(key, event('2040-01-02T11:00:00Z'), '/api/v1/events');
    expect([corrected.status, corrected.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('stores nothing for a lack of a scope, and names the scope as without a key', async () => {
    const key = randomUUID();
    const exported = async (scope: string) =>
      api.send('POST', '/api/v1/exports', {
        token: await api.token(scope),
        body: { collection: 'orders', format: 'csv' },
        headers: { 'idempotency-key': key },
      });
    const refused = await exported('students:read');
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toContain('scope="orders:read"');
    const consented = await exported('students:read orders:read');
    expect([consented.status, consented.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('replays a refusal of another kind that an earlier release stored', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    await post(randomUUID(), body);
    expect((await post(key, body)).body['code']).toBe('already_exists');
    await withDatabase(api.databaseUrl, (client) =>
      client.query(
        `update idempotency_keys set answer = replace(answer::text, 'already_exists', 'validation_failed')::json`,
      ),
    );
    const again = await post(key, body);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([422, 'true']);
  });

  it('replays a PATCH whose If-Match is stale at the retry', async () => {
    const created = await post(randomUUID(), newCourse());
    const patch = () =>
      api.send('PATCH', `/api/v1/courses/${String(created.body['id'])}`, {
        body: { name: 'Renamed' },
        headers: { 'idempotency-key': 'patch-1', 'if-match': created.headers['etag'] ?? '' },
      });
    const first = await patch();
    expect(first.status).toBe(200);
    expect(ending(await patch())).toEqual(ending(first));
  });

  it('expires a key after 24 hours, not before', async () => {
    const [early, late] = [randomUUID(), randomUUID()];
    const [one, other] = [newCourse(), newCourse()];
    await post(early, one);
    await withDatabase(api.databaseUrl, (client) =>
      client.query(`update idempotency_keys set created_at = created_at - interval '24 hours'`),
    );
    await post(late, other);
    await withDatabase(api.databaseUrl, (client) =>
      client.query(
        `update idempotency_keys set created_at = created_at - interval '23 hours 59 minutes' where created_at > now() - interval '1 hour'`,
      ),
    );
    // The slug is taken now, so a request that runs again fails.
    expect((await post(early, one)).body['code']).toBe('already_exists');
    expect((await post(late, other)).headers['idempotent-replayed']).toBe('true');
  });

  it.each([
    ['of 255 characters', 'k'.repeat(255), 201],
    ['of 256 characters', 'k'.repeat(256), 400],
    ['that is empty', '', 400],
    ['with a space in it', 'a b', 400],
  ])('validates a key %s', async (_what, key, status) => {
    expect((await post(key, newCourse())).status).toBe(status);
  });

  it('does not store an unexpected error', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query('alter table courses rename to courses_away');
      try {
        expect((await post(key, body)).status).toBe(500);
      } finally {
        await client.query('alter table courses_away rename to courses');
      }
    });
    const again = await post(key, body);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });
});

describe('dry_run', () => {
  it('returns the result without changing, publishing or storing a key', async () => {
    const [key, body] = [randomUUID(), newCourse()];
    const dry = await post(key, body, '/api/v1/courses?dry_run=true');
    expect([dry.status, dry.headers['dry-run'], dry.headers['location']]).toEqual([200, 'true', undefined]);
    expect(dry.body).toMatchObject({ slug: body.slug, state: 'draft' });
    expect((await api.send('GET', `/api/v1/courses/${String(dry.body['id'])}`)).status).toBe(404);
    const real = await post(key, body);
    expect([real.status, real.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const path = `/api/v1/courses/${String(real.body['id'])}/publish?dry_run=true`;
    expect((await api.send('POST', path)).body['state']).toBe('published');
    expect((await api.send('GET', `/api/v1/courses/${String(real.body['id'])}`)).body['state']).toBe('draft');
    expect(await api.events.of([String(dry.body['id']), String(real.body['id'])], 1)).toHaveLength(1);
  });

  it('refuses what the change would refuse', async () => {
    const body = newCourse();
    await post(randomUUID(), body);
    expect((await post(randomUUID(), body, '/api/v1/courses?dry_run=true')).body['code']).toBe('already_exists');
    expect((await post(randomUUID(), {}, '/api/v1/courses?dry_run=true')).body['code']).toBe('validation_failed');
  });

  it.each([
    ['dry_run=yes', 'invalid_request'],
    ['dryrun=true', 'unknown_parameter'],
  ])('refuses the spelling ?%s', async (query, code) => {
    expect((await post(randomUUID(), newCourse(), `/api/v1/courses?${query}`)).body['code']).toBe(code);
  });
});
