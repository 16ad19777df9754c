import { bareEndpoints } from '@lyceum/resource-server';
import { Gateway, SITE, newSource, post, wire } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

/** Opens a subscription to changes of the list, as a client of the newest revision does. */
async function subscribe(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { body, headers } = wire('modern', {
    id: 'changes',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true } },
  });
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-host': SITE.host,
      'x-forwarded-for': newSource(),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  if (response.body === null) throw new Error('there is no stream');
  return response.body.getReader();
}

describe('the tool endpoint', () => {
  it('has no endpoint that does not say who may call it', () => {
    const [replica] = gateway.replicas;
    if (replica === undefined) throw new Error('no replica runs');
    expect(bareEndpoints(replica.app)).toEqual([]);
  });

  it('accepts a notification without an answer', async () => {
    const { body, headers } = wire('older', { method: 'notifications/initialized' });
    const reply = await post(gateway.url, body, { headers });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({});
  });

  it('ends subscriptions when it stops, and does not wait for them', async () => {
    const reader = await subscribe();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toContain('notifications/subscriptions/acknowledged');
    const [replica] = gateway.replicas;
    const closed = replica?.close();
    let chunk = await reader.read();
    while (!chunk.done) chunk = await reader.read();
    await closed;
    expect(chunk.done).toBe(true);
  });
});
