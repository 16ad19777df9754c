import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Lifecycle, OutboundNetwork } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { DELIVERY_LIMITS } from '#src/webhook-deliveries/webhook-delivery.policy.js';
import { WebhookSender } from '#src/webhook-deliveries/webhook.sender.js';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { ACCEPT } from './webhook-receiver.js';
import { WebhookSchool } from './webhook-school.js';
import type { Json } from './webhook-school.js';

const school = WebhookSchool.ofFile();

const { timeout } = AbortSignal;

/** Ends the time limit of each attempt early. */
function shortenAttempts(ms: number): void {
  jest
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((given) => timeout.call(AbortSignal, given === DELIVERY_LIMITS.attemptMs ? ms : given));
}

describe('a receiver with faults', () => {
  it('delays no other endpoint by more than 2 s when it is dead, slow or huge', async () => {
    const huge = Buffer.alloc(10 * 1024 * 1024, 'a');
    const [slow, big, dead] = await Promise.all([
      school.receiver(() => undefined),
      school.receiver((response) => void response.on('error', () => undefined).end(huge)),
      school.receiver(),
    ]);
    await dead.stop();
    const faulty = await Promise.all([slow, big, dead].map(({ url }) => school.endpoint(url)));
    const other = await school.endpoint((await school.receiver()).url);
    for (let event = 0; event < 5; event += 1) {
      await school.publish(Array.from({ length: 10 }, () => school.paid()));
      await eventually(
        () => school.query(`select from webhook_deliveries where endpoint_id = $1 and attempts = 0`, [other.id]),
        ({ length }) => length === 0,
      );
    }
    // The slow one has not answered, and is not given up.
    await eventually(
      () => Promise.resolve(slow.open),
      (open) => open > 0,
    );
    const [{ median }] = (await school.query<{ median: number }>(
      `select percentile_cont(0.5) within group (order by extract(epoch from attempted_at - created_at)) as median
       from webhook_deliveries where endpoint_id = $1`,
      [other.id],
    )) as [{ median: number }];
    // The median, because the machine may stand still for a time.
    expect(median).toBeLessThan(2);
    for (const { id } of [...faulty, other]) await school.query('delete from webhook_endpoints where id = $1', [id]);
  });

  it('gives up on a slow one after the time limit, and sends it few deliveries at one time', async () => {
    shortenAttempts(6_000);
    const [slow, fast] = [await school.receiver(() => undefined), await school.receiver()];
    const { id } = await school.endpoint(slow.url);
    await school.publish(Array.from({ length: 25 }, () => school.paid()));
    await eventually(
      () => Promise.resolve(slow.open),
      (open) => open > 0,
    );
    const other = await school.endpoint(fast.url);
    const started = performance.now();
    await school.publish([school.paid()]);
    expect(await school.attempted(other.id)).toMatchObject({ state: 'succeeded' });
    expect(performance.now() - started).toBeLessThan(6_000);
    const timedOut = (deliveries: Json[]): boolean => deliveries.some(({ attempts }) => attempts === 1);
    const deliveries = await eventually(() => school.deliveries(id), timedOut);
    expect(deliveries.find(({ attempts }) => attempts === 1)).toMatchObject({
      state: 'pending',
      response_status: null,
      error: expect.any(String),
    });
    expect(slow.most).toBe(DELIVERY_LIMITS.perEndpoint);
    await school.act(id, 'disable');
  });

  it('leaves places to other sites when all endpoints of a site are slow', async () => {
    const { healthy } = DELIVERY_LIMITS.perSite;
    const unanswered: ServerResponse[] = [];
    const [slow, fast] = [await school.receiver((response) => void unanswered.push(response)), await school.receiver()];
    const slowOnes = await Promise.all(Array.from({ length: healthy + 3 }, () => school.endpoint(slow.url)));
    await school.publish([school.paid()]);
    await eventually(
      () => Promise.resolve(slow.open),
      (open) => open === healthy,
    );
    await school.endpoint(fast.url, {}, school.api.sites[1]);
    await school.publish([school.paid({ site_id: school.api.sites[1].site_id })]);
    await eventually(
      () => Promise.resolve(fast.received),
      ({ length }) => length === 1,
    );
    expect(slow.most).toBe(healthy);
    // A place that becomes free goes to the endpoints that wait.
    slow.respondWith(ACCEPT);
    unanswered.forEach(ACCEPT);
    const ids = slowOnes.map(({ id }) => id);
    const attempted = 'select 1 from webhook_deliveries where endpoint_id = any($1) and attempts > 0';
    await eventually(
      () => school.query(attempted, [ids]),
      ({ length }) => length === ids.length,
    );
    // A site has at most 20 endpoints.
    await school.query('delete from webhook_endpoints where id = any($1)', [ids]);
  });

  it('logs the error of a dead receiver', async () => {
    const receiver = await school.receiver();
    await receiver.stop();
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    expect(await school.attempted(id)).toMatchObject({
      state: 'pending',
      response_status: null,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('follows no redirect', async () => {
    const target = await school.receiver();
    const receiver = await school.receiver((response) => void response.writeHead(307, { location: target.url }).end());
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    expect(await school.attempted(id)).toMatchObject({ state: 'pending', response_status: 307 });
    expect(target.received).toEqual([]);
  });

  it('disables an endpoint that answers 410', async () => {
    const receiver = await school.receiver((response) => void response.writeHead(410).end());
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    await eventually(
      () => school.read(id),
      ({ state }) => state === 'disabled',
    );
    expect(await school.read(id)).toMatchObject({ state: 'disabled', reason: 'gone' });
    const events = await school.api.events.of([id], 2);
    expect(events.at(-1)).toMatchObject({
      type: 'school.webhook_endpoint.disabled.v1',
      actor: { via: 'system' },
      data: { reason: 'gone', url: receiver.url, created_by: expect.any(String) },
    });
    await school.publish([school.paid()]);
    expect(await school.deliveries(id)).toHaveLength(1);

    receiver.respondWith(ACCEPT);
    await school.act(id, 'enable');
    await school.hurry(id);
    expect(await school.attempted(id, 2)).toMatchObject({ state: 'succeeded' });
  });

  it('disables an endpoint after five days without a success', async () => {
    const receiver = await school.receiver((response) => void response.writeHead(500).end());
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    await school.attempted(id);
    await school.query(`update webhook_queues set failing_since = now() - interval '5 days' where endpoint_id = $1`, [
      id,
    ]);
    await school.hurry(id);
    await eventually(
      () => school.read(id),
      ({ state }) => state === 'disabled',
    );
    expect(await school.read(id)).toMatchObject({ reason: 'failing' });
  });

  it('reads the beginning of an answer of 10 MB only', async () => {
    let written = 0;
    const receiver = await school.receiver((response) => {
      response.writeHead(200);
      const write = (): void => {
        while (written < 10 * 1024 * 1024) {
          written += 16 * 1024;
          if (!response.write(Buffer.alloc(16 * 1024))) return void response.once('drain', write);
        }
        response.end();
      };
      response.on('error', () => undefined);
      write();
    });
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    expect(await school.attempted(id)).toMatchObject({ state: 'succeeded', response_status: 200 });
    await eventually(
      () => Promise.resolve(receiver.open),
      (open) => open === 0,
    );
    expect(written).toBeLessThan(10 * 1024 * 1024);
  });

  it('sends nothing to a private address in the production configuration', async () => {
    const receiver = await school.receiver();
    const { id } = await school.endpoint(receiver.url.replace('127.0.0.1', 'localhost'));
    const endpoints = school.api.service.app.get(WebhookEndpointService, { strict: false });
    const endpoint = await endpoints.get({ site_id: school.api.sites[0].site_id }, id);
    const delivery = {
      id,
      event_id: randomUUID(),
      event_type: 'order.paid',
      object_id: null,
      attempts: 0,
      occurred_at: new Date().toISOString(),
      data: {},
    };
    const batch = Object.assign(endpoint, { lease: '', failing_since: null, deliveries: [delivery] });
    const attempts = await new WebhookSender(new OutboundNetwork(), endpoints, new Lifecycle()).send(batch);
    expect(attempts.get(delivery)).toMatchObject({
      status: null,
      error: 'The host must resolve to public addresses only',
    });
    expect(receiver.received).toEqual([]);
  });
});
