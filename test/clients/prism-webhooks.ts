import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation on webhooks, also in a dry run. */
export async function useWebhooks(proxy: ValidationProxy, unique: string): Promise<void> {
  const body = { url: `https://receiver.example.com/${unique}`, event_types: ['course.created'] };
  const { id } = await proxy.write('createWebhookEndpoint', 201, { body });
  const path = { id, external_id: `webhook-${unique}` };
  const { id: second } = await proxy.write('putWebhookEndpoint', 201, { path, body });
  await proxy.write('updateWebhookEndpoint', 200, { path, body: { description: 'By Prism' } });
  for (const action of ['disable', 'enable', 'claim']) await proxy.write(`${action}WebhookEndpoint`, 200, { path });
  await proxy.write('rotateWebhookSecret', 200, { path });
  await proxy.list('listWebhookEndpoints');
  await proxy.get('getWebhookEndpoint', { path });

  const delivery = await proxy.write('createWebhookDelivery', 201, { body: { endpoint_id: id } });
  await proxy.list('listWebhookDeliveries');
  await proxy.get('getWebhookDelivery', { path: { id: delivery.id } });
  await proxy.write('redeliverWebhook', 200, { path: { id: delivery.id } });
  for (const one of [id, second]) await proxy.write('deleteWebhookEndpoint', 204, { path: { id: one } });
}
