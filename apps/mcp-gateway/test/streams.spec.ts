import { Gateway, post, request, wire } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

/** The response that ends a subscription, after which a client subscribes again. */
const RESULT = { jsonrpc: '2.0', id: 'changes', result: { resultType: 'complete' } };

/** The last event of a stream that ends. */
async function lastEvent(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<unknown> {
  let text = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
    text += new TextDecoder().decode(chunk.value);
  return JSON.parse([...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? 'null');
}

/** Opens a subscription to list changes, like a client of the newest revision. */
async function subscribe(
  notifications: object = { toolsListChanged: true },
  url = gateway.url,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { body, headers } = wire('modern', {
    id: 'changes',
    method: 'subscriptions/listen',
    params: { notifications },
  });
  const response = await request(url, body, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  if (response.body === null) throw new Error('there is no stream');
  return response.body.getReader();
}

describe('the tool endpoint', () => {
  it('accepts a notification without a response', async () => {
    const { body, headers } = wire('older', { method: 'notifications/initialized' });
    const reply = await post(gateway.url, body, { headers });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({});
  });

  it('notifies subscribers of changed lists, and of no others', async () => {
    const every = await subscribe({ toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true });
    const prompts = await subscribe({ promptsListChanged: true });
    await gateway.services[0]?.close();
    const nextEvents = async (reader: ReadableStreamDefaultReader<Uint8Array>, kinds: readonly string[]) => {
      let text = '';
      while (!kinds.every((kind) => text.includes(`"notifications/${kind}/list_changed"`))) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream has ended after ${text}`);
        text += new TextDecoder().decode(value);
      }
      return text;
    };
    await nextEvents(every, ['tools', 'resources', 'prompts']);
    expect(await nextEvents(prompts, ['prompts'])).not.toMatch(/(tools|resources)\/list_changed/);
    await Promise.all([every.cancel(), prompts.cancel()]);
  });

  it('ends subscriptions at shutdown with their result and without waiting', async () => {
    const reader = await subscribe();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toContain('notifications/subscriptions/acknowledged');
    const [replica] = gateway.replicas;
    const closed = replica?.close();
    expect(await lastEvent(reader)).toMatchObject(RESULT);
    await closed;
  });

  it('responds with the result at once while the replica stops', async () => {
    const stopping = await Gateway.start({ environment: { SHUTDOWN_DELAY_MS: '3000' } });
    const closed = stopping.close();
    try {
      expect(await lastEvent(await subscribe({ toolsListChanged: true }, stopping.url))).toMatchObject(RESULT);
    } finally {
      await closed;
    }
  });
});
