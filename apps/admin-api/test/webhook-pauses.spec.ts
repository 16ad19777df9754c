import { MetricsRegistry } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { DELIVERY_LIMITS } from '#src/webhook-deliveries/webhook-delivery.policy.js';
import { WebhookQueueRepository } from '#src/webhook-deliveries/webhook-queue.repository.js';
import type { Batch } from '#src/webhook-deliveries/webhook-queue.repository.js';
import { ACCEPT } from './webhook-receiver.js';
import { DELIVERIES, WebhookSchool } from './webhook-school.js';
import type { Json } from './webhook-school.js';

const school = WebhookSchool.ofFile();

/** Waits until an attempt of a delivery failed, and returns the seconds from it to the next one. */
async function pauseOf(endpoint_id: string): Promise<number> {
  const { due_at, attempted_at } = await school.attempted(endpoint_id);
  return (Date.parse(String(due_at)) - Date.parse(String(attempted_at))) / 1_000;
}

describe('a receiver that asks for a pause', () => {
  const asking = (seconds: string, status = 429) =>
    school.receiver((response) => void response.writeHead(status, { 'retry-after': seconds }).end());

  it.each([
    ['60', 60],
    ['3600', 3_600],
    ['3601', 3_600],
  ])('waits after a Retry-After of %s s for %p s, and at most a fifth more', async (seconds, least) => {
    const { id } = await school.endpoint((await asking(seconds)).url);
    await school.publish([school.paid()]);
    const pause = await pauseOf(id);
    expect(pause).toBeGreaterThanOrEqual(least);
    expect(pause).toBeLessThanOrEqual(least * (1 + DELIVERY_LIMITS.jitter));
  });

  it('gets no other delivery meanwhile, but a test at once', async () => {
    const receiver = await asking('600', 503);
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    await school.attempted(id);
    receiver.respondWith(ACCEPT);
    await school.publish([school.paid()]);
    const queue = 'select due_at = held_until as held from webhook_queues where endpoint_id = $1';
    expect(await school.query(queue, [id])).toEqual([{ held: true }]);
    expect(receiver.received).toHaveLength(1);
    await school.api.send('POST', DELIVERIES, { body: { endpoint_id: id } });
    const succeeded = (all: Json[]): Json[] => all.filter(({ state }) => state === 'succeeded');
    const sent = await eventually(
      async () => succeeded(await school.deliveries(id)),
      ({ length }) => length === 2,
    );
    expect(new Set(sent.map(({ event_type }) => event_type))).toEqual(new Set(['order.paid', 'webhook.test']));
    expect(await school.query(queue, [id])).toEqual([{ held: null }]);
  });

  it('waits no longer after its endpoint is enabled again', async () => {
    const receiver = await asking('600');
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    await school.attempted(id);
    receiver.respondWith(ACCEPT);
    await school.act(id, 'disable');
    await school.act(id, 'enable');
    await school.publish([school.paid()]);
    const states = async (): Promise<unknown[]> => (await school.deliveries(id)).map(({ state }) => state);
    expect(await eventually(states, (found) => found.includes('succeeded'))).toHaveLength(2);
  });
});

it('sends the rest of a long queue in further turns, each delivery once', async () => {
  const receiver = await school.receiver();
  const { id } = await school.endpoint(receiver.url);
  const events = Array.from({ length: 2 * DELIVERY_LIMITS.perTurn + 1 }, () => school.paid());
  await school.publish(events);
  await eventually(
    () => school.query('select from webhook_deliveries where endpoint_id = $1 and due_at is not null', [id]),
    ({ length }) => length === 0,
  );
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(events.length);
  expect(new Set(ids)).toEqual(new Set(events.map((event) => event.id)));
  expect(receiver.most).toBeLessThanOrEqual(DELIVERY_LIMITS.perEndpoint);
});

it('starts no further delivery of a turn after a failure', async () => {
  const receiver = await school.receiver((response) => void response.writeHead(500).end());
  const { id } = await school.endpoint(receiver.url);
  await school.publish(Array.from({ length: 30 }, () => school.paid()));
  await eventually(
    () => school.query('select from webhook_queues where endpoint_id = $1 and failing_since is not null', [id]),
    ({ length }) => length === 1,
  );
  const { perEndpoint } = DELIVERY_LIMITS;
  const [first] = await school.query<{ most: number }>(
    `select count(*)::int as most from webhook_deliveries where endpoint_id = $1 and attempts > 0
     group by attempted_at order by attempted_at limit 1`,
    [id],
  );
  expect(first?.most).toBe(perEndpoint);
  await school.act(id, 'disable');
});

it('keeps a delivery due that a transaction adds while a turn is recorded', async () => {
  const receiver = await school.receiver();
  const { id } = await school.endpoint(receiver.url);
  const queues = school.api.service.app.get(WebhookQueueRepository, { strict: false });
  const [{ lease }] = (await school.query<{ lease: string }>(
    `update webhook_queues set leased_until = now() + interval '1 minute', due_at = now() + interval '1 minute'
     where endpoint_id = $1 returning leased_until::text as lease`,
    [id],
  )) as [{ lease: string }];
  const batch = { site_id: school.api.sites[0].site_id, id, lease } as Batch;
  let recording: Promise<boolean> | undefined;
  await school.transaction(async (tx) => {
    await queues.enqueue(tx, [school.paid()]);
    recording = queues.record(batch, [], { succeeded: true, wakes: true, asked: null });
    await eventually(
      () => school.query('select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0'),
      ({ length }) => length > 0,
    );
  });
  expect(await recording).toBe(true);
  expect(await school.attempted(id)).toMatchObject({ state: 'succeeded' });
});

describe('metrics', () => {
  // Deliveries of other endpoints count, too.
  beforeEach(() => school.query('delete from webhook_endpoints'));

  const valueOf = async (name: string, labels: Readonly<Record<string, string>>): Promise<number> => {
    const { registry } = school.api.service.app.get(MetricsRegistry, { strict: false });
    const { values = [] } = (await registry.getSingleMetric(name.replace(/_count$/, ''))?.get()) ?? {};
    const found = values.find(
      (value) =>
        (!('metricName' in value) || value.metricName === name) &&
        Object.entries(labels).every(([label, text]) => Reflect.get(value.labels, label) === text),
    );
    return found?.value ?? 0;
  };

  it('counts attempts by their result', async () => {
    const counts = (): Promise<number[]> =>
      Promise.all(
        ['succeeded', 'retried', 'failed'].map((result) =>
          valueOf('webhook_delivery_duration_seconds_count', { result }),
        ),
      );
    const receiver = await school.receiver();
    const { id } = await school.endpoint(receiver.url);
    const before = await counts();
    await school.publish([school.paid()]);
    await school.attempted(id);
    receiver.respondWith((response) => void response.writeHead(500).end());
    await school.publish([school.paid()]);
    await eventually(
      () => school.query('select from webhook_deliveries where endpoint_id = $1 and response_status = 500', [id]),
      ({ length }) => length === 1,
    );
    await school.query("update webhook_deliveries set attempts = 9 where endpoint_id = $1 and state = 'pending'", [id]);
    await school.hurry(id);
    await eventually(
      () => school.query("select from webhook_deliveries where endpoint_id = $1 and state = 'failed'", [id]),
      ({ length }) => length === 1,
    );
    const after = await counts();
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1]);
  });

  it('shows how many deliveries are due, and for how long, by lane', async () => {
    const receiver = await school.receiver();
    const [{ id: healthy }, { id: failing }, { id: resting }] = await Promise.all([
      school.endpoint(receiver.url),
      school.endpoint(receiver.url),
      school.endpoint(receiver.url),
    ]);
    // Another replica has the endpoints, so their deliveries wait.
    const take = `update webhook_queues set leased_until = now() + interval '1 minute' where endpoint_id = any($1)`;
    await school.query(take, [[healthy, failing, resting]]);
    await school.query('update webhook_queues set failing_since = now() where endpoint_id = $1', [failing]);
    await school.publish([school.paid(), school.paid()]);
    const age = 'update webhook_deliveries set due_at = now() - make_interval(secs => $2) where endpoint_id = $1';
    await school.query(age, [healthy, 100]);
    await school.query(age, [failing, 1_000]);
    await school.query('update webhook_queues set due_at = null, leased_until = null where endpoint_id = $1', [
      resting,
    ]);
    const read = (name: string) => Promise.all(['healthy', 'failing'].map((lane) => valueOf(name, { lane })));
    expect(await read('webhook_deliveries_waiting')).toEqual([2, 2]);
    const [young = 0, old = 0] = await read('webhook_deliveries_oldest_seconds');
    expect([Math.floor(young / 100), Math.floor(old / 1_000)]).toEqual([1, 1]);
    await school.query('update webhook_queues set leased_until = null, due_at = now() where endpoint_id = any($1)', [
      [healthy, failing],
    ]);
    await eventually(
      () => read('webhook_deliveries_waiting'),
      ([first, second]) => first === 0 && second === 0,
    );
    expect(await read('webhook_deliveries_oldest_seconds')).toEqual([0, 0]);
  });
});
