import { randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { WebhookQueueRepository } from '#src/webhook-deliveries/webhook-queue.repository.js';
import type { Batch, RecordedAttempt } from '#src/webhook-deliveries/webhook-queue.repository.js';
import { ENDPOINTS, WebhookSchool } from './webhook-school.js';

const school = WebhookSchool.ofFile();

/** Returns the id of an endpoint whose first attempt has failed. */
async function failingEndpoint(): Promise<string> {
  const receiver = await school.receiver((response) => void response.writeHead(502).end());
  const { id } = await school.endpoint(receiver.url);
  await school.publish([school.paid()]);
  await school.attempted(id);
  return id;
}

/** Moves the first failure 59 days back, if the endpoint has one. */
const pass = (id: string) =>
  school.query(`update webhook_queues set failing_since = failing_since - interval '59 days' where endpoint_id = $1`, [
    id,
  ]);

/** Lets the last attempt of the deliveries fail, and the days pass. */
async function giveUp(id: string): Promise<void> {
  await school.query('update webhook_deliveries set attempts = 9 where endpoint_id = $1', [id]);
  await school.hurry(id);
  await eventually(
    () => school.deliveries(id),
    (deliveries) => deliveries.every(({ state }) => state === 'failed'),
  );
  await pass(id);
}

const attemptOf = (id: string, event_id: string) =>
  eventually(
    () =>
      school.query<{ attempts: number }>(
        'select attempts from webhook_deliveries where endpoint_id = $1 and event_id = $2',
        [id, event_id],
      ),
    ([delivery]) => Number(delivery?.attempts) > 0,
  );

it('stays enabled after one failure that comes weeks after a delivery that was given up', async () => {
  const id = await failingEndpoint();
  await giveUp(id);
  const next = school.paid();
  await school.publish([next]);
  await attemptOf(id, next.id);
  expect(await school.read(id)).toMatchObject({ state: 'enabled' });
  await pass(id);
  await school.hurry(id);
  const disabled = await eventually(
    () => school.read(id),
    ({ state }) => state === 'disabled',
  );
  expect(disabled).toMatchObject({ reason: 'failing' });
});

/** Begins a turn of a failing endpoint, and returns its lease. */
async function leased(id: string): Promise<string> {
  const [row] = await school.query<{ lease: string }>(
    `update webhook_queues set leased_until = now() + interval '1 minute', failing_since = now() - interval '6 days'
     where endpoint_id = $1 returning leased_until::text as lease`,
    [id],
  );
  return row?.lease ?? '';
}

it('stays enabled when a turn to the former receiver fails after another URL was set', async () => {
  const { id } = await school.endpoint((await school.receiver()).url);
  const lease = await leased(id);
  const body = { url: (await school.receiver()).url };
  expect((await school.api.send('PATCH', `${ENDPOINTS}/${id}`, { body })).status).toBe(200);
  const queues = school.api.service.app.get(WebhookQueueRepository, { strict: false });
  const turn = { site_id: school.api.sites[0].site_id, id, lease } as Batch;
  expect(await queues.record(turn, [], { succeeded: false, wakes: true, asked: null })).toBe(false);
});

it('forgets failures from before, when nothing has waited since', async () => {
  const { id } = await school.endpoint((await school.receiver()).url);
  await leased(id);
  const rests = `leased_until = null, due_at = null, held_until = now() + interval '1 hour'`;
  await school.query(`update webhook_queues set ${rests} where endpoint_id = $1`, [id]);
  await school.publish([school.paid()]);
  const queue = 'select failing_since from webhook_queues where endpoint_id = $1';
  expect(await school.query(queue, [id])).toEqual([{ failing_since: null }]);
});

it.each([
  ['ends its failures when the last delivery is given up', [null], false],
  ['goes on failing while the delivery is tried again', [86_400], true],
  ['goes on failing while another delivery waits', [null, undefined], true],
])('%s', async (_what, retries, expected) => {
  const { id } = await school.endpoint((await school.receiver()).url);
  const lease = await leased(id);
  await school.publish(retries.map(() => school.paid()));
  const made = await school.query<{ id: string }>(
    `update webhook_deliveries set due_at = now() + interval '1 day' where endpoint_id = $1 returning id`,
    [id],
  );
  await school.query('update webhook_queues set due_at = leased_until where endpoint_id = $1', [id]);
  const failure = { response_status: 502, response_ms: 1, error: null, response_body: null };
  const attempts = retries.flatMap((retry_seconds, index): RecordedAttempt[] => {
    if (retry_seconds === undefined) return [];
    const state = retry_seconds === null ? 'failed' : 'pending';
    return [{ ...failure, id: made[index]?.id ?? '', state, retry_seconds }];
  });
  const batch = { site_id: school.api.sites[0].site_id, id, lease } as Batch;
  const queues = school.api.service.app.get(WebhookQueueRepository, { strict: false });
  const end = { succeeded: false, wakes: true, asked: null };
  expect(await queues.record(batch, attempts, end)).toBe(true);
  const queue = 'select failing_since is not null as failing from webhook_queues where endpoint_id = $1';
  expect(await school.query(queue, [id])).toEqual([{ failing: expected }]);
  await school.act(id, 'disable');
});

it.each(['PATCH', 'PUT'] as const)('starts again with another URL of a %s, without its pause', async (method) => {
  const id = await failingEndpoint();
  const held = `held_until = now() + interval '1 hour', due_at = now() + interval '1 hour'`;
  await school.query(`update webhook_queues set ${held} where endpoint_id = $1`, [id]);
  await pass(id);
  const external_id = randomUUID();
  await school.query('update webhook_endpoints set external_id = $2 where id = $1', [id, external_id]);
  const { url } = await school.receiver();
  const path = method === 'PUT' ? `${ENDPOINTS}/by_external_id/${external_id}` : `${ENDPOINTS}/${id}`;
  const state = 'select failing_since, held_until from webhook_queues where endpoint_id = $1';
  const change = (body: object) => school.api.send(method, path, { body: { event_types: ['order.paid'], ...body } });
  const { url: former } = (await school.read(id)) as { url: string };
  expect((await change({ url: former, description: 'The same' })).status).toBe(200);
  expect(await school.query(state, [id])).toEqual([{ failing_since: expect.any(Date), held_until: expect.any(Date) }]);
  expect((await change({ url })).status).toBe(200);
  expect(await school.query(state, [id])).toEqual([{ failing_since: null, held_until: null }]);
  await school.hurry(id);
  await eventually(
    () => school.deliveries(id),
    ([delivery]) => delivery?.['state'] === 'succeeded',
  );
});
