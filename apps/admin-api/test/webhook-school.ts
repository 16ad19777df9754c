import { randomUUID } from 'node:crypto';
import { Outbox } from '@lyceum/messaging';
import { eventually } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import { PublicEventSubscriber } from '#src/changes/public-event-subscriber.js';
import type { PublicEvent } from '#src/changes/public-event.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { WebhookReceiver } from './webhook-receiver.js';

export type Json = Record<string, unknown>;

interface Endpoint extends Json {
  readonly id: string;
  readonly secret: string;
}

export const ENDPOINTS = '/api/v1/webhook_endpoints';
export const DELIVERIES = '/api/v1/webhook_deliveries';

/** A school with webhook endpoints, and the events that it publishes. */
export class WebhookSchool {
  readonly receivers: WebhookReceiver[] = [];
  #api: TestApi | undefined;

  /** Runs the service while the tests of a file run. */
  static ofFile(): WebhookSchool {
    const school = new WebhookSchool();
    beforeAll(async () => {
      school.#api = await startAdminApi();
    });
    afterAll(() => school.#stop());
    return school;
  }

  get api(): TestApi {
    if (this.#api === undefined) throw new Error('The service starts before the tests of the file');
    return this.#api;
  }

  async receiver(...responder: Parameters<typeof WebhookReceiver.start>): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start(...responder);
    this.receivers.push(receiver);
    return receiver;
  }

  async endpoint(url: string, body: Json = {}, site = this.api.sites[0]): Promise<Endpoint> {
    const response = await this.api.send<Endpoint>('POST', ENDPOINTS, {
      site,
      body: { url, event_types: ['order.paid'], ...body },
    });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  }

  act(id: string, action: string): Promise<ReceivedResponse> {
    return this.api.send('POST', `${ENDPOINTS}/${id}/${action}`);
  }

  async read(id: string): Promise<Json> {
    return (await this.api.send('GET', `${ENDPOINTS}/${id}`)).body;
  }

  async deliveries(endpoint_id: string): Promise<Json[]> {
    const response = await this.api.send<{ data: Json[] }>('GET', `${DELIVERIES}?endpoint_id=${endpoint_id}`);
    return response.body.data;
  }

  /** Waits until the only delivery of the endpoint was attempted. */
  async attempted(endpoint_id: string, attempts = 1): Promise<Json> {
    const poll = async (): Promise<Json | undefined> => (await this.deliveries(endpoint_id))[0];
    return (await eventually(poll, (delivery) => Number(delivery?.['attempts']) >= attempts))!;
  }

  /** Records events as the consumer of changes does. */
  async publish(events: readonly PublicEvent[]): Promise<void> {
    const { app } = this.api.service;
    const subscriber = app.get(PublicEventSubscriber, { strict: false });
    await this.transaction((tx) => subscriber.accept(tx, events));
  }

  transaction: Outbox['transaction'] = (work) => this.api.service.app.get(Outbox, { strict: false }).transaction(work);

  paid(more: Partial<PublicEvent> = {}): PublicEvent {
    return {
      id: randomUUID(),
      site_id: this.api.sites[0].site_id,
      type: 'order.paid',
      object_id: randomUUID(),
      occurred_at: new Date('2026-11-20T08:00:00.123Z'),
      data: { number: 'A-1', total: { amount_minor: 100, currency: 'TWD' } },
      ...more,
    };
  }

  query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return withDatabase(this.api.databaseUrl, async (client) => (await client.query(text, [...values])).rows as Row[]);
  }

  /** Makes the waiting deliveries of an endpoint due. */
  async hurry(endpoint_id: string): Promise<void> {
    const due = `due_at = date_trunc('milliseconds', now())`;
    const waiting = `update webhook_deliveries set ${due} where endpoint_id = $1 and due_at is not null`;
    await this.query(waiting, [endpoint_id]);
    await this.query(`update webhook_queues set ${due} where endpoint_id = $1`, [endpoint_id]);
  }

  async #stop(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
    await this.#api?.stop();
  }
}
