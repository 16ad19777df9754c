import { SYSTEM_ACTOR, eventType, webhookEndpointEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { smtpSink } from '@lyceum/testing';
import { MailDeliveryModule } from '#src/mails/mail-delivery.module.js';
import { MailsWorker } from '#src/mails/mails.worker.js';
import { startIdentityWith, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { WebhookEndpointsConsumer } from './webhook-endpoints.consumer.js';
import { WebhookEndpointsModule } from './webhook-endpoints.module.js';

const HOUR_MS = 3_600_000;

let identity: TestIdentity;
let server: Awaited<ReturnType<typeof smtpSink>>;
let stage: Awaited<ReturnType<typeof stageOne>>;
let creator: string;

beforeAll(async () => {
  server = await smtpSink({});
  identity = await startIdentityWith({ MAIL_SMTP_URL: server.url }, MailDeliveryModule, WebhookEndpointsModule);
  stage = await stageOne(identity);
  await identity.context.get(MailsWorker).beforeApplicationShutdown();
  const [row] = await identity.sql<{ member_id: string }>('select member_id from site_members where person_id = $1', [
    stage.person_id,
  ]);
  creator = row!.member_id;
});
beforeEach(async () => {
  server.received.length = 0;
  await identity.sql('truncate mails');
});
afterAll(async () => {
  await identity.stop();
  await server.close();
});

type Data = Parameters<WebhookEndpointsConsumer['mail']>[0]['data'];

/** Receives an event, and sends the mails that it causes. Returns their texts. */
async function mailsOf(
  name: (typeof webhookEndpointEvents)['names'][number],
  data: Partial<Data>,
  ageHours = 0,
): Promise<string[]> {
  const webhook_endpoint_id = uuidv7();
  const { site_id } = stage;
  const event = {
    id: uuidv7(),
    type: eventType(webhookEndpointEvents, name),
    aggregate_id: webhook_endpoint_id,
    aggregate_version: 2,
    site_id,
    epoch: 1,
    actor: SYSTEM_ACTOR,
    occurred_at: new Date(Date.now() - ageHours * HOUR_MS).toISOString(),
    data: {
      webhook_endpoint_id,
      site_id,
      url: 'https://hooks.example/school?token=secret',
      event_types: ['order.paid'],
      state: 'disabled' as const,
      reason: 'gone' as const,
      created_by: creator,
      ...data,
    },
  };
  const { context } = identity;
  await context.get(Outbox).transaction((tx) => context.get(WebhookEndpointsConsumer).mail(event, tx));
  await context.get(MailsWorker).turn();
  return server.received.map(({ source }) => source.replaceAll('=\r\n', '').replaceAll('=3D', '='));
}

it.each([
  ['gone', 'it answered 410 Gone'],
  ['failing', 'no delivery has succeeded for five days'],
] as const)('mails the creator when an endpoint is disabled because it is %s', async (reason, why) => {
  const [text, ...others] = await mailsOf('disabled', { reason });
  expect(others).toEqual([]);
  expect(text).toContain('https://hooks.example/school receives no more events');
  expect(text).toContain(why);
  expect(text).not.toContain('secret');
});

it.each<[string, Parameters<typeof mailsOf>]>([
  ['an operator disabled', ['disabled', { reason: 'requested' }]],
  ['was paused', ['paused', { state: 'paused', reason: 'client_deleted' }]],
  ['is republished', ['republished', {}]],
  ['was disabled days ago', ['disabled', {}, 73]],
  ['a member of another site created', ['disabled', { created_by: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a' }]],
])('mails nothing of an endpoint that %s', async (_name, given) => {
  expect(await mailsOf(...given)).toEqual([]);
});
