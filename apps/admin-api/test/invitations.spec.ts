import { randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked, withDatabase } from './database.js';
import { respondToInvitations } from './invitation-responder.js';
import type { InvitationResponder } from './invitation-responder.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let auth: InvitationResponder;

beforeAll(async () => {
  // A request for an invitation that held the connection would let all others wait.
  api = await startAdminApi({ environment: { DATABASE_POOL_SIZE: '1' } });
  auth = await respondToInvitations(api.nats);
});
afterEach(() => {
  auth.reply = { ok: true, result: {} };
  auth.until = Promise.resolve();
});
afterAll(async () => {
  await auth.close();
  await api.stop();
});

async function student() {
  const { body } = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
  const id = String(body['id']);
  return {
    id,
    email: String(body['email']),
    path: `/api/v1/students/${id}`,
    resend: `/api/v1/students/${id}/resend_invitation`,
  };
}

it('lets auth mail the invitation, once for an idempotency key, and changes nothing', async () => {
  const { id, email, path, resend } = await student();
  const before = await api.send('GET', path);
  const request = { headers: { 'idempotency-key': randomUUID() } };
  const sent = await api.send('POST', resend, request);
  expect([sent.status, sent.body, sent.headers['etag']]).toEqual([200, before.body, before.headers['etag']]);
  await api.send('POST', resend, request);
  const dry = await api.send('POST', `${resend}?dry_run=true`);
  expect([dry.status, dry.body['dry_run']]).toEqual([200, true]);
  expect(auth.requests.filter(({ student_id }) => student_id === id)).toEqual([
    { student_id: id, email, dry_run: false },
    { student_id: id, email, dry_run: true },
  ]);
});

it('mails by the tool, and checks only in its dry run', async () => {
  const { id } = await student();
  const { call } = toolCaller(api);
  const WRITE = { scopes: ['students:write'] };
  expect(await call('resend_student_invitation', { id }, WRITE)).toMatchObject({ dry_run: false, student: { id } });
  await call('resend_student_invitation', { id, dry_run: true }, WRITE);
  expect(auth.requests.filter(({ student_id }) => student_id === id).map(({ dry_run }) => dry_run)).toEqual([
    false,
    true,
  ]);
});

it('holds no connection to the database and no student while auth responds', async () => {
  const { id, path, resend } = await student();
  const { promise, resolve } = Promise.withResolvers<void>();
  auth.until = promise;
  const sent = api.send('POST', resend);
  await eventually(() => auth.requests.some(({ student_id }) => student_id === id));
  const changed = await api.send('PATCH', path, { body: { name: 'Mei Lin' } });
  resolve();
  expect([changed.status, (await sent).status, (await sent).body['name']]).toEqual([200, 200, 'Mei Lin']);
});

it('mails once for requests with one key at one time, and answers by the conditions before the mail', async () => {
  const { id, path, resend } = await student();
  const { promise, resolve } = Promise.withResolvers<void>();
  auth.until = promise;
  const etag = String((await api.send('GET', path)).headers['etag']);
  const request = { headers: { 'idempotency-key': randomUUID(), 'if-match': etag } };
  const first = api.send('POST', resend, request);
  await eventually(() => auth.requests.some(({ student_id }) => student_id === id));
  const second = await api.send('POST', resend, request);
  await api.send('PATCH', path, { body: { name: 'Mei Lin' } });
  resolve();
  expect([second.status, second.body['code']]).toEqual([409, 'idempotency_in_progress']);
  expect([(await first).status, (await first).body['name']]).toEqual([200, 'Mei Lin']);
  const third = await api.send('POST', resend, request);
  expect([third.status, third.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(auth.requests.filter(({ student_id }) => student_id === id)).toHaveLength(1);
});

it('remembers the mail also when a repetition looks at the key as auth has responded', async () => {
  const { id, resend } = await student();
  const { promise, resolve } = Promise.withResolvers<void>();
  auth.until = promise;
  const request = { headers: { 'idempotency-key': randomUUID() } };
  const first = api.send('POST', resend, request);
  await eventually(() => auth.requests.some(({ student_id }) => student_id === id));
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    const { rowCount } = await client.query(`
      select pg_advisory_xact_lock(('x' || encode(substr(id, 1, 8), 'hex'))::bit(64)::bigint)
        from idempotency_keys where running_until > now()`);
    expect(rowCount).toBe(1);
    resolve();
    await Promise.race([untilBlocked(client), first]);
    await client.query('rollback');
  });
  const second = await api.send('POST', resend, request);
  expect([(await first).status, second.status, second.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
  expect(auth.requests.filter(({ student_id }) => student_id === id)).toHaveLength(1);
});

it('passes refusals of auth on', async () => {
  const { resend } = await student();
  const refuse = (code: string, more: object = {}) => {
    auth.reply = { ok: false, error: { code, detail: 'Refused', ...more } };
    return api.send('POST', resend);
  };
  expect((await refuse('invalid_state')).body).toMatchObject({ status: 409, code: 'invalid_state' });
  const limited = await refuse('rate_limited', { retry_after: 1800 });
  expect([limited.status, limited.body['code'], limited.headers['retry-after']]).toEqual([429, 'rate_limited', '1800']);
  const early = await refuse('temporarily_unavailable', { retry_after: 1 });
  expect([early.status, early.headers['retry-after']]).toEqual([503, '1']);
});

it('says when to repeat a limited request with a key, and sends the repetition', async () => {
  const { id, resend } = await student();
  const request = { headers: { 'idempotency-key': randomUUID() } };
  auth.reply = { ok: false, error: { code: 'rate_limited', detail: 'Refused', retry_after: 1800 } };
  const limited = await api.send('POST', resend, request);
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '1800']);
  auth.reply = { ok: true, result: {} };
  const sent = await api.send('POST', resend, request);
  expect([sent.status, sent.body['id'], sent.headers['idempotent-replayed']]).toEqual([200, id, undefined]);
  expect(auth.requests.filter(({ student_id }) => student_id === id)).toHaveLength(2);
});

it('sends the repetition of a limited call of the tool with a key', async () => {
  const { id } = await student();
  const { call } = toolCaller(api);
  const caller = { scopes: ['students:write'], person_id: randomUUID() };
  const args = { id, idempotency_key: randomUUID() };
  auth.reply = { ok: false, error: { code: 'rate_limited', detail: 'Refused', retry_after: 1800 } };
  const limited = await call('resend_student_invitation', args, caller);
  expect(limited).toMatchObject({ ok: false, code: 'rate_limited', retry_after: 1800 });
  auth.reply = { ok: true, result: {} };
  expect(await call('resend_student_invitation', args, caller)).toMatchObject({ student: { id } });
});

it('refuses a removed student, and one of another site, without a request', async () => {
  const { id, resend } = await student();
  expect((await api.send('POST', resend, { site: api.sites[1] })).status).toBe(404);
  await withDatabase(api.databaseUrl, (client) =>
    client.query(`update students set state = 'removed' where id = $1`, [id]),
  );
  expect((await api.send('POST', resend)).body).toMatchObject({ status: 409, code: 'invalid_state' });
  expect(auth.requests.filter(({ student_id }) => student_id === id)).toEqual([]);
});
