import { setTimeout as sleep } from 'node:timers/promises';
import { Outbox } from '@lyceum/messaging';
import { MetricsRegistry, Sql } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { PublicEventSubscriber } from '#src/changes/public-event-subscriber.js';
import type { Batch } from '#src/webhook-deliveries/webhook-queue.repository.js';
import { WebhookQueueRepository } from '#src/webhook-deliveries/webhook-queue.repository.js';
import { WebhookDispatcher } from '#src/webhook-deliveries/webhook.dispatcher.js';
import { WebhookMetrics } from '#src/webhook-deliveries/webhook.metrics.js';
import { WebhookSender } from '#src/webhook-deliveries/webhook.sender.js';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { ACCEPT } from './webhook-receiver.js';
import type { WebhookReceiver } from './webhook-receiver.js';
import { WebhookSchool } from './webhook-school.js';
import type { Json } from './webhook-school.js';

const school = WebhookSchool.ofFile();

const get = <T>(type: abstract new (...parameters: never[]) => T): T =>
  school.api.service.app.get<T, T>(type, { strict: false });

const newDispatcher = (queues: WebhookQueueRepository, sender: Pick<WebhookSender, 'send'>): WebhookDispatcher =>
  new WebhookDispatcher(queues, sender as WebhookSender, get(WebhookEndpointService), get(Outbox), get(WebhookMetrics));

const idsOf = ({ received }: WebhookReceiver): string[] =>
  received.map(({ headers }) => headers['webhook-id'] ?? '').toSorted();

/** Waits until no delivery of the endpoint is pending, and returns them all. */
async function settled(id: string): Promise<Json[]> {
  await eventually(
    () => school.query(`select from webhook_deliveries where endpoint_id = $1 and state = 'pending'`, [id]),
    ({ length }) => length === 0,
  );
  return school.query<Json>(
    'select event_id, state, attempts from webhook_deliveries where endpoint_id = $1 order by event_id',
    [id],
  );
}

it('sends each attempt once while two replicas deliver', async () => {
  const replica = await school.api.replica();
  const [open, twice] = [new Set<string>(), new Set<string>()];
  const receivers = await Promise.all(
    Array.from({ length: 5 }, () =>
      school.receiver((response) => {
        const id = `${response.req.headers.host} ${response.req.headers['webhook-id'] as string}`;
        if (open.has(id)) twice.add(id);
        open.add(id);
        void sleep(5).then(() => {
          open.delete(id);
          ACCEPT(response);
        });
      }),
    ),
  );
  const endpoints = await Promise.all(receivers.map(({ url }) => school.endpoint(url)));
  const attemptsOf = async ({ app }: RunningService): Promise<number> => {
    const { registry } = app.get(MetricsRegistry, { strict: false });
    const { values = [] } = (await registry.getSingleMetric('webhook_delivery_duration_seconds')?.get()) ?? {};
    const name = 'webhook_delivery_duration_seconds_count';
    const counted = values.filter((value) => 'metricName' in value && value.metricName === name);
    return counted.reduce((sum, { value }) => sum + value, 0);
  };
  const before = await attemptsOf(school.api.service);
  // Several turns for each endpoint, which end at several times, until both replicas have sent some.
  let published: string[] = [];
  await eventually(
    async () => {
      const events = Array.from({ length: 60 }, () => school.paid());
      published = [...published, ...events.map(({ id }) => id)];
      await school.publish(events);
      return [(await attemptsOf(school.api.service)) - before, await attemptsOf(replica)];
    },
    (counts) => counts.every((count) => count > 0),
  );
  for (const [index, { id }] of endpoints.entries()) {
    const deliveries = await settled(id);
    expect(deliveries.every(({ state, attempts }) => state === 'succeeded' && attempts === 1)).toBe(true);
    expect(idsOf(receivers[index]!)).toEqual(published.toSorted());
  }
  expect([...twice]).toEqual([]);
  await replica.app.get(WebhookDispatcher, { strict: false }).beforeApplicationShutdown();
});

describe('a replica that is killed', () => {
  const never = new Promise<never>(() => undefined);
  const NUMBER = 12;

  /** The service itself sends nothing: each test has its own replicas. */
  beforeAll(() => get(WebhookDispatcher).beforeApplicationShutdown());

  class Killed extends WebhookQueueRepository {
    override record(): Promise<boolean> {
      return never;
    }
  }

  /** The end of the connection rolls the statement back. */
  class KilledWhileRecording extends WebhookQueueRepository {
    override async record(...[batch, attempts, end]: Parameters<WebhookQueueRepository['record']>): Promise<boolean> {
      const killed = new Error('killed');
      return get(Outbox)
        .transaction(async (tx): Promise<boolean> => {
          await super.record(batch, attempts, end, tx);
          throw killed;
        })
        .catch((error: unknown) => {
          if (error !== killed) throw error;
          return never;
        });
    }
  }

  class KilledAfterRecording extends WebhookQueueRepository {
    override async record(...given: Parameters<WebhookQueueRepository['record']>): Promise<boolean> {
      await super.record(...given);
      return never;
    }
  }

  const send = (batch: Batch) => get(WebhookSender).send(batch);
  const noSender = { send: (): Promise<never> => never };
  const repository = (): WebhookQueueRepository => get(WebhookQueueRepository);

  it.each([
    { step: 'after the claim', sender: noSender, queues: WebhookQueueRepository, sent: 0, again: NUMBER },
    { step: 'after the requests', sender: { send }, queues: Killed, sent: NUMBER, again: NUMBER },
    { step: 'while it records', sender: { send }, queues: KilledWhileRecording, sent: NUMBER, again: NUMBER },
    { step: 'after it recorded', sender: { send }, queues: KilledAfterRecording, sent: NUMBER, again: 0 },
  ])('loses no delivery when it ends $step', async ({ sender, queues: Queues, sent, again }) => {
    const receiver = await school.receiver();
    const { id } = await school.endpoint(receiver.url);
    const events = Array.from({ length: NUMBER }, () => school.paid());
    await school.publish(events);
    const batch = (await repository().claim({ healthy: 100, failing: 25 })).find((one) => one.id === id)!;
    void newDispatcher(new Queues(get(Sql)), sender).deliver(batch);
    await eventually(
      () => Promise.resolve(receiver.received.length),
      (count) => count === sent,
    );
    const other = newDispatcher(repository(), get(WebhookSender));
    other.onApplicationBootstrap();
    try {
      await sleep(1_000);
      expect(receiver.received).toHaveLength(sent);
      if (again > 0) {
        // The lease ends after a minute.
        await school.query(
          `update webhook_queues set leased_until = leased_until - interval '1 minute',
             due_at = due_at - interval '1 minute' where endpoint_id = $1`,
          [id],
        );
      }
      const deliveries = await settled(id);
      const ids = events.map((event) => event.id).toSorted();
      expect(deliveries).toEqual(ids.map((event_id) => ({ event_id, state: 'succeeded', attempts: 1 })));
      expect(idsOf(receiver)).toEqual([...(sent > 0 ? ids : []), ...(again > 0 ? ids : [])].toSorted());
      // The lease has ended, so a replica that had only stopped records nothing.
      expect(await repository().record(batch, [], { succeeded: true, wakes: true, asked: null })).toBe(false);
    } finally {
      await other.beforeApplicationShutdown();
      await school.query('delete from webhook_endpoints where id = $1', [id]);
    }
  });

  it('loses no delivery when it ends before the commit of the event', async () => {
    const receiver = await school.receiver();
    const { id } = await school.endpoint(receiver.url);
    const event = school.paid();
    const killed = new Error('killed');
    const accept = (after: () => void) =>
      school.transaction(async (tx) => {
        await get(PublicEventSubscriber).accept(tx, [event]);
        after();
      });
    await expect(
      accept(() => {
        throw killed;
      }),
    ).rejects.toBe(killed);
    expect(await school.deliveries(id)).toEqual([]);
    // The stream of events delivers an event that was not acknowledged again.
    await accept(() => undefined);
    expect(await school.deliveries(id)).toMatchObject([{ event_id: event.id, state: 'pending' }]);
  });
});
