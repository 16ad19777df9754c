import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { Webhook } from 'standardwebhooks';
import { WebhookQueueRepository } from '#src/webhook-deliveries/webhook-queue.repository.js';
import type { Batch, RecordedAttempt } from '#src/webhook-deliveries/webhook-queue.repository.js';
import { WebhookSweep } from '#src/webhook-deliveries/webhook.sweep.js';
import { SecretReEncryption } from '#src/webhook-endpoints/secret-re-encryption.js';
import { openSecret } from '#src/webhook-endpoints/sealed-secret.js';
import { WebhookEndpointRepository } from '#src/webhook-endpoints/webhook-endpoint.repository.js';
import { WebhookSettings } from '#src/webhook-endpoints/webhook.settings.js';
import { ACCEPT } from './webhook-receiver.js';
import { DELIVERIES, WebhookSchool } from './webhook-school.js';
import type { Json } from './webhook-school.js';

const school = WebhookSchool.ofFile();

it('delivers an event that a receiver verifies, and logs it', async () => {
  const receiver = await school.receiver();
  const { id, secret } = await school.endpoint(receiver.url);
  const event = school.paid();
  await school.publish([event, school.paid({ type: 'course.created' })]);
  expect(await school.attempted(id)).toMatchObject({
    endpoint_id: id,
    event_id: event.id,
    event_type: 'order.paid',
    object_id: event.object_id,
    state: 'succeeded',
    attempts: 1,
    due_at: null,
    response_status: 204,
    error: null,
  });
  expect(receiver.received).toHaveLength(1);
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' });
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: 'order.paid',
    timestamp: '2026-11-20T08:00:00.123Z',
    object_id: event.object_id,
    data: event.data,
  });
});

it('delivers a change that an operator makes, as the feed of changes has it', async () => {
  const receiver = await school.receiver();
  const { id } = await school.endpoint(receiver.url, { event_types: ['course.created'] });
  const { body: course } = await school.api.send('POST', '/api/v1/courses', {
    body: { slug: 'announced', name: 'Announced', external_id: 'course-7' },
  });
  expect(await school.attempted(id)).toMatchObject({ event_type: 'course.created', object_id: course['id'] });
  const { data } = (await school.api.send<{ data: Json[] }>('GET', '/api/v1/changes?type=course.created')).body;
  const [change] = data.filter(({ object_id }) => object_id === course['id']);
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(headers['webhook-id']).toBe(change?.['id']);
  expect(JSON.parse(body)).toEqual({
    type: 'course.created',
    timestamp: change?.['occurred_at'],
    object_id: course['id'],
    data: change?.['data'],
  });
  expect(change?.['data']).toMatchObject({ slug: 'announced', external_id: 'course-7' });
});

it('signs with both secrets for 24 hours after a rotation, then with the new one alone', async () => {
  const receiver = await school.receiver();
  const { id, secret } = await school.endpoint(receiver.url);
  const { secret: next } = (await school.act(id, 'rotate_secret')).body as { secret: string };
  await school.publish([school.paid()]);
  await school.attempted(id);
  for (const key of [secret, next]) new Webhook(key).verify(receiver.received[0]!.body, receiver.received[0]!.headers);

  await school.query(`update webhook_endpoints set previous_secret_until = now() where id = $1`, [id]);
  await school.publish([school.paid()]);
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count === 2,
  );
  const { body, headers } = receiver.received[1]!;
  new Webhook(next).verify(body, headers);
  expect(() => new Webhook(secret).verify(body, headers)).toThrow('No matching signature found');
});

it('re-encrypts the secrets of endpoints under a new key, and signs with them as before', async () => {
  const receiver = await school.receiver();
  const { id, secret } = await school.endpoint(receiver.url);
  const { secret: next } = (await school.act(id, 'rotate_secret')).body as { secret: string };
  const [old, young] = [school.api.config.KEY_ENCRYPTION_KEY[0], randomBytes(32)];
  const repository = school.api.service.app.get(WebhookEndpointRepository, { strict: false });
  const reEncrypt = (...keys: [Buffer, Buffer]): Promise<number> =>
    new SecretReEncryption(repository, new WebhookSettings(keys, true, 1)).run();
  const [{ count }] = (await school.query<{ count: number }>(
    'select count(*)::int as count from webhook_endpoints',
  )) as [{ count: number }];
  expect(await reEncrypt(young, old)).toBe(count);
  const endpoint = { site_id: school.api.sites[0].site_id, id };
  const [row] = await school.query<{ sealed_secret: Buffer; previous_sealed_secret: Buffer }>(
    'select sealed_secret, previous_sealed_secret from webhook_endpoints where id = $1',
    [id],
  );
  expect(openSecret({ keys: [young] }, endpoint, row!.sealed_secret)).toBe(next);
  expect(openSecret({ keys: [young] }, endpoint, row!.previous_sealed_secret)).toBe(secret);
  expect(() => openSecret({ keys: [old] }, endpoint, row!.sealed_secret)).toThrow('unable to authenticate');

  expect(await reEncrypt(old, young)).toBe(count);
  await school.publish([school.paid()]);
  await school.attempted(id);
  for (const key of [secret, next]) new Webhook(key).verify(receiver.received[0]!.body, receiver.received[0]!.headers);
});

it('makes one delivery of a repeated event, and none for other sites and endpoints that are disabled', async () => {
  const receiver = await school.receiver();
  const off = await school.endpoint(receiver.url);
  await school.act(off.id, 'disable');
  const foreign = await school.endpoint(receiver.url, {}, school.api.sites[1]);
  const { id } = await school.endpoint(receiver.url);
  const event = school.paid();
  await school.publish([event]);
  await school.publish([event]);
  await school.attempted(id);
  const rows = await school.query('select endpoint_id from webhook_deliveries where endpoint_id = any($1::uuid[])', [
    [off.id, foreign.id, id],
  ]);
  expect(rows).toEqual([{ endpoint_id: id }]);
});

it('tries again after 5 s with the same id, then counts the success', async () => {
  const receiver = await school.receiver((response) => void response.writeHead(500).end('no'));
  const { id } = await school.endpoint(receiver.url);
  await school.publish([school.paid()]);
  const failed = await school.attempted(id);
  expect(failed).toMatchObject({ state: 'pending', attempts: 1, response_status: 500 });
  const pause = Date.parse(String(failed['due_at'])) - Date.parse(String(failed['attempted_at']));
  expect(pause).toBeGreaterThanOrEqual(5_000);
  expect(pause).toBeLessThanOrEqual(6_000);
  receiver.respondWith(ACCEPT);
  expect(await school.attempted(id, 2)).toMatchObject({ state: 'succeeded', due_at: null, response_status: 204 });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const [queue] = await school.query('select failing_since from webhook_queues where endpoint_id = $1', [id]);
  expect(queue).toEqual({ failing_since: null });
});

it('fails a delivery after its tenth attempt', async () => {
  const receiver = await school.receiver((response) => void response.writeHead(503).end());
  const { id } = await school.endpoint(receiver.url);
  await school.publish([school.paid()]);
  await school.attempted(id);
  await school.query('update webhook_deliveries set attempts = 9 where endpoint_id = $1', [id]);
  await school.hurry(id);
  expect(await school.attempted(id, 10)).toMatchObject({ state: 'failed', due_at: null, response_status: 503 });
});

it('sends a test, and a delivery again with the same id', async () => {
  const receiver = await school.receiver();
  const { id, secret } = await school.endpoint(receiver.url);
  const made = await school.api.send<{ id: string }>('POST', DELIVERIES, { body: { endpoint_id: id } });
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ state: 'pending', object_id: null })]);
  await school.attempted(id);
  const { headers, body } = receiver.received[0]!;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'webhook.test',
    data: { webhook_endpoint_id: id },
  });
  // A test is no event, so it needs no other scope.
  const token = await school.api.token('school:read school:write');
  const again = await school.api.send('POST', `${DELIVERIES}/${made.body.id}/redeliver`, { token });
  expect([again.status, again.body]).toEqual([200, expect.objectContaining({ state: 'pending', attempts: 0 })]);
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count === 2,
  );
  expect(receiver.received[1]!.headers['webhook-id']).toBe(headers['webhook-id']);

  await eventually(
    () => school.attempted(id),
    ({ state }) => state === 'succeeded',
  );
  await school.act(id, 'disable');
  expect((await school.api.send('POST', `${DELIVERIES}/${made.body.id}/redeliver`)).body).toMatchObject({
    code: 'invalid_state',
  });
  expect((await school.api.send('POST', DELIVERIES, { body: { endpoint_id: randomUUID() } })).body).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '/endpoint_id', code: 'not_found' }],
  });
});

it('gives an endpoint to one replica, and records nothing after the lease', async () => {
  const receiver = await school.receiver();
  const { id } = await school.endpoint(receiver.url);
  const queues = school.api.service.app.get(WebhookQueueRepository, { strict: false });
  // The dispatcher leaves an endpoint that another replica has.
  await school.query(`update webhook_queues set leased_until = now() + interval '1 hour' where endpoint_id = $1`, [id]);
  await school.publish([school.paid()]);
  const claimed = await queues.claim({ healthy: 100, failing: 25 });
  expect(claimed.map((batch) => batch.id)).not.toContain(id);
  const [{ lease }] = (await school.query<{ lease: string }>(
    `update webhook_queues set leased_until = now() + interval '2 hours' where endpoint_id = $1
     returning leased_until::text as lease`,
    [id],
  )) as [{ lease: string }];
  const [{ id: delivery }] = (await school.deliveries(id)) as [{ id: string }];
  const attempt = {
    id: delivery,
    state: 'succeeded',
    retry_seconds: null,
    response_status: 204,
    response_ms: 1,
    error: null,
  };
  const record = (text: string): Promise<boolean> =>
    queues.record({ site_id: school.api.sites[0].site_id, id, lease: text } as Batch, [attempt as RecordedAttempt], {
      succeeded: true,
      wakes: true,
      asked: null,
    });
  expect(await record('2026-01-01T00:00:00Z')).toBe(false);
  expect(await school.deliveries(id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
  expect([await record(lease), await record(lease)]).toEqual([true, false]);
  expect(await school.deliveries(id)).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  expect(receiver.received).toEqual([]);
});

it('forgets deliveries after 30 days, and rotated secrets after their time', async () => {
  const receiver = await school.receiver();
  const { id } = await school.endpoint(receiver.url);
  await school.act(id, 'rotate_secret');
  await school.publish([school.paid(), school.paid()]);
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count === 2,
  );
  await school.query(
    `update webhook_deliveries set created_at = now() - interval '30 days 1 second'
     where id = (select id from webhook_deliveries where endpoint_id = $1 limit 1)`,
    [id],
  );
  await school.query('update webhook_endpoints set previous_secret_until = now() where id = $1', [id]);
  await school.api.service.app.get(WebhookSweep, { strict: false }).run();
  expect(await school.deliveries(id)).toHaveLength(1);
  expect(await school.read(id)).toMatchObject({ previous_secret_until: null });
});
