import { randomUUID } from 'node:crypto';
import { databaseGate, eventually } from '@lyceum/testing';
import type { DatabaseGate } from '@lyceum/testing';
import { AccessService } from '#src/enrollments/access.service.js';
import { IdempotencyPurge } from '@lyceum/rest';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';

let api: TestApi;
let gate: DatabaseGate;

beforeAll(async () => {
  api = await startAdminApi({ through: async (url) => (gate = await databaseGate(url)).url });
});
afterAll(async () => {
  await api.stop();
  await gate.close();
});

const course = () => api.send('POST', '/api/v1/courses', { body: { name: 'x', slug: `c-${randomUUID()}` } });
const waiting = () =>
  withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ aggregate_id: string }>('select aggregate_id from outbox order by seq');
    return rows.map(({ aggregate_id }) => aggregate_id);
  });

describe('with NATS down', () => {
  it('reads and writes, and publishes the events when NATS is back', async () => {
    const before = await course();
    await eventually(async () => (await waiting()).length === 0);
    await api.nats.kill();
    const during = [await course(), await course()];
    expect(during.map(({ status }) => status)).toEqual([201, 201]);
    expect((await api.send('GET', `/api/v1/courses/${String(before.body['id'])}`)).status).toBe(200);
    expect(await waiting()).toEqual(during.map(({ body }) => body['id']));
    await api.nats.restart();
    await eventually(async () => (await waiting()).length === 0);
  });
});

describe('periodic work', () => {
  it('ends an expired enrollment once, with counters and an event', async () => {
    const { body } = await course();
    const student = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
    const path = `/api/v1/students/${String(student.body['id'])}/enrollments`;
    const enrolled = await api.send('POST', path, {
      body: { course_id: body['id'], expires_at: '2999-01-01T00:00:00Z' },
    });
    const access = api.service.app.get(AccessService, { strict: false });
    expect(await access.followClock(10)).toBe(0);
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query(
        `update access_grants set starts_at = now() - interval '2 seconds', ends_at = now() - interval '1 second'`,
      );
      await client.query(`update enrollments set changes_at = now() - interval '1 second'`);
    });
    await Promise.all([access.followClock(10), access.followClock(10)]);
    const one = `${path}/${String(enrolled.body['id'])}`;
    expect((await api.send('GET', one)).body).toMatchObject({ state: 'expired' });
    expect((await api.send('GET', `/api/v1/courses/${String(body['id'])}`)).body['enrollments_count']).toBe(0);
    const revoked = await api.send('POST', `${one}/revoke`);
    expect([revoked.status, revoked.body['code']]).toEqual([409, 'invalid_state']);
    await withDatabase(api.databaseUrl, async (client) => {
      const { rows } = await client.query<{ version: number }>('select version from enrollments');
      expect(rows).toEqual([{ version: 2 }]);
    });
  });

  it('deletes old idempotency keys', async () => {
    await api.send('POST', '/api/v1/courses', {
      body: { name: 'x', slug: `c-${randomUUID()}` },
      headers: { 'idempotency-key': 'k' },
    });
    const purge = api.service.app.get(IdempotencyPurge, { strict: false });
    expect(await purge.run()).toBe(0);
    await withDatabase(api.databaseUrl, (client) =>
      client.query(`update idempotency_keys set created_at = now() - interval '25 hours'`),
    );
    expect(await purge.run()).toBe(1);
  });
});

describe('when the database connection dies behind a statement of a write', () => {
  // Each use of a prepared statement carries its name, and only the first one of a connection its text. The last one
  // commits, and its response is lost.
  it.each(['idempotency_keys_take', 'courses_', 'outbox_one_with_idempotency_keys'])(
    'returns 503 with Retry-After after "%s", and creates one course under the same key afterwards',
    async (words) => {
      const slug = `c-${randomUUID()}`;
      const write = () =>
        api.send('POST', '/api/v1/courses', {
          body: { name: 'x', slug },
          headers: { 'idempotency-key': slug },
        });
      const before = gate.ended;
      gate.endAfter(words);
      const refused = await write();
      expect(gate.ended).toBe(before + 1);
      expect([refused.status, refused.body['code']]).toEqual([503, 'temporarily_unavailable']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      // PostgreSQL keeps the lock of the key until it detects the closed connection.
      let repeated = await write();
      await eventually(async () => {
        if (repeated.body['code'] === 'idempotency_in_progress') repeated = await write();
        return repeated.status !== 409;
      });
      expect(repeated.status).toBe(201);
      const { body } = await api.send<{ data: unknown[] }>('GET', `/api/v1/courses?q=${slug}`);
      expect(body.data).toHaveLength(1);
    },
  );
});
