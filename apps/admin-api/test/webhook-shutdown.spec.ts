import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Outbox } from '@lyceum/messaging';
import { eventually } from '@lyceum/testing';
import { PublicEventSubscriber } from '#src/changes/public-event-subscriber.js';
import { WebhookDispatcher } from '#src/webhook-deliveries/webhook.dispatcher.js';
import { ACCEPT } from './webhook-receiver.js';
import { WebhookSchool } from './webhook-school.js';

const school = WebhookSchool.ofFile();

/** Longer than a dispatcher without open requests takes to stop. */
const STOP_MS = 300;

it('records a delivery that is open at the shutdown, and does not send it again after the next start', async () => {
  const { promise: open, resolve: hold } = Promise.withResolvers<ServerResponse>();
  const receiver = await school.receiver(hold);
  const { id } = await school.endpoint(receiver.url);
  const [first, second] = [school.paid(), school.paid()];
  await school.publish([first]);
  const response = await open;
  receiver.respondWith(ACCEPT);

  const { app, close } = school.api.service;
  const stops = jest.spyOn(app.get(WebhookDispatcher, { strict: false }), 'beforeApplicationShutdown');
  const closed = close();
  await eventually(
    () => Promise.resolve(stops.mock.calls.length),
    (calls) => calls === 1,
  );
  await sleep(STOP_MS);
  ACCEPT(response);
  await closed;
  const text = 'select event_id, state, attempts, due_at from webhook_deliveries where endpoint_id = $1';
  const sent = { state: 'succeeded', attempts: 1, due_at: null };
  expect(await school.query(text, [id])).toEqual([{ ...sent, event_id: first.id }]);

  const replica = await school.api.replica();
  const subscriber = replica.app.get(PublicEventSubscriber, { strict: false });
  await replica.app.get(Outbox, { strict: false }).transaction((tx) => subscriber.accept(tx, [second]));
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count === 2,
  );
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([first.id, second.id]);
});
