import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Lifecycle, OutboundNetwork } from '@lyceum/platform';
import { Logger } from '@nestjs/common';
import { DELIVERY_LIMITS } from '#src/webhook-deliveries/webhook-delivery.policy.js';
import type { Attempt } from '#src/webhook-deliveries/webhook-delivery.policy.js';
import type { Batch } from '#src/webhook-deliveries/webhook-queue.repository.js';
import { WebhookSender } from '#src/webhook-deliveries/webhook.sender.js';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { WebhookSchool } from './webhook-school.js';

const school = WebhookSchool.ofFile();
/** A receiver at both loopback addresses, and what it has received. */
let servers: readonly Server[];
let port: number;
const received: { readonly address: string | undefined; readonly host: string | undefined }[] = [];
const accept = (response: ServerResponse): void => void response.writeHead(204).end();
let respond = accept;

beforeAll(async () => {
  const listen = async (host: string, at: number): Promise<Server> => {
    const server = createServer((request, response) => {
      received.push({ address: request.socket.localAddress, host: request.headers.host });
      request.resume().on('end', () => respond(response));
    }).listen(at, host);
    await once(server, 'listening');
    return server;
  };
  const first = await listen('127.0.0.1', 0);
  ({ port } = first.address() as AddressInfo);
  servers = [first, await listen('::1', port)];
});
beforeEach(() => {
  received.length = 0;
  respond = accept;
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => {
  for (const server of servers ?? []) server.close().closeAllConnections();
});

const NOT_PUBLIC = 'The host must resolve to public addresses only';

/** Sends deliveries to a URL over a network, as a turn of the dispatcher does. */
async function turn(
  network: OutboundNetwork,
  url: string,
  deliveries = 1,
  lifecycle = new Lifecycle(),
): Promise<Attempt[]> {
  const endpoints = school.api.service.app.get(WebhookEndpointService, { strict: false });
  const { id } = await school.endpoint('https://receiver.example.com');
  const endpoint = await endpoints.get({ site_id: school.api.sites[0].site_id }, id);
  await school.query('delete from webhook_endpoints where id = $1', [id]);
  const due = Array.from({ length: deliveries }, () => ({
    id: randomUUID(),
    event_id: randomUUID(),
    event_type: 'order.paid',
    object_id: null,
    attempts: 0,
    occurred_at: new Date().toISOString(),
    data: {},
  }));
  const batch = Object.assign(endpoint, { url, lease: '', failing_since: null, deliveries: due }) as Batch;
  const sender = new WebhookSender(network, endpoints, lifecycle);
  try {
    return [...(await sender.send(batch)).values()];
  } finally {
    sender.onApplicationShutdown();
  }
}

/** Answers each resolution of a name with the next addresses. Permits 127.0.0.1, beside the public addresses. */
class Resolver extends OutboundNetwork {
  resolutions = 0;

  constructor(private readonly answers: readonly (readonly string[])[]) {
    super();
  }

  override resolve(): Promise<readonly string[]> {
    const answer = this.answers[Math.min(this.resolutions, this.answers.length - 1)] ?? [];
    this.resolutions += 1;
    return Promise.resolve(answer);
  }

  override permits(address: string): boolean {
    return address === '127.0.0.1' || super.permits(address);
  }
}

it.each([
  ['loopback', '127.0.0.1'],
  ['loopback of IPv6', '[::1]'],
  ['IPv4 within IPv6', '[::ffff:127.0.0.1]'],
  ['IPv4 as one number', '2130706433'],
  ['a private network', '10.0.0.1'],
  ['a unique local network of IPv6', '[fd12:3456::1]'],
  ['a link-local network of IPv6', '[fe80::1]'],
  ['the metadata service', '169.254.169.254'],
  ['the metadata service of IPv6', '[fd00:ec2::254]'],
])('sends nothing to %s: %s', async (_name, host) => {
  const [attempt] = await turn(new OutboundNetwork(), `http://${host}:${port}/hook`);
  expect(attempt).toMatchObject({ status: null, error: NOT_PUBLIC });
  expect(received).toEqual([]);
});

it.each([[['1.1.1.1', '::1']], [['::1', '1.1.1.1']], [['2606:4700::1111', '10.0.0.1']]])(
  'sends nothing to a name with the addresses %j, of which one is not public',
  async (addresses) => {
    const [attempt] = await turn(new Resolver([addresses]), `http://mixed.example:${port}/hook`);
    expect(attempt).toMatchObject({ status: null, error: NOT_PUBLIC });
    expect(received).toEqual([]);
  },
);

it('connects to the address that it has checked, although the name has another one then', async () => {
  const network = new Resolver([['127.0.0.1'], ['::1']]);
  const attempts = await turn(network, `http://rebinding.example:${port}/hook`, 12);
  expect(attempts.map(({ status }) => status)).toEqual(Array(12).fill(204));
  expect(network.resolutions).toBe(1);
  expect(received).toEqual(Array(12).fill({ address: '127.0.0.1', host: `rebinding.example:${port}` }));
  received.length = 0;
  const [next] = await turn(network, `http://rebinding.example:${port}/hook`);
  expect(next).toMatchObject({ status: null, error: NOT_PUBLIC });
  expect(received).toEqual([]);
});

class Unknown extends OutboundNetwork {
  override resolve(hostname: string): Promise<readonly string[]> {
    return Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }));
  }
}

it.each([
  ['an unknown name', new Unknown(), 'getaddrinfo ENOTFOUND inner.example'],
  ['a name without an address', new Resolver([[]]), 'inner.example has no address'],
  ['a private address', new Resolver([['10.0.0.7']]), 'inner.example resolves to 10.0.0.7, which is not public'],
])('reports %s with the text of the others, and logs once for a turn why', async (_name, network, reason) => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const attempts = await turn(network, `http://inner.example:${port}/hook`, 3);
  expect(attempts.map(({ error }) => error)).toEqual(Array(3).fill(NOT_PUBLIC));
  const site_id = school.api.sites[0].site_id;
  const line = { msg: 'webhooks were not sent', reason, site_id, webhook_endpoint_id: expect.any(String) };
  expect(warn.mock.calls).toEqual([[line]]);
});

it.each(['127.0.0.1', '[::1]'])('delivers to %s where a setting permits it', async (host) => {
  const network = school.api.service.app.get(OutboundNetwork, { strict: false });
  const [attempt] = await turn(network, `http://${host}:${port}/hook`);
  expect(attempt).toMatchObject({ status: 204, error: null });
  expect(received.map((request) => request.host)).toEqual([`${host}:${port}`]);
});

it('starts no delivery after the beginning of a shutdown', async () => {
  const lifecycle = new Lifecycle();
  respond = (response) => {
    lifecycle.stop(60_000);
    accept(response);
  };
  const attempts = await turn(new Resolver([['127.0.0.1']]), `http://stops.example:${port}/hook`, 30, lifecycle);
  expect(attempts.map(({ status }) => status)).toEqual(Array(DELIVERY_LIMITS.perEndpoint).fill(204));
  expect(received).toHaveLength(DELIVERY_LIMITS.perEndpoint);
});

it('counts no attempt that the end of a shutdown interrupts', async () => {
  const lifecycle = new Lifecycle();
  respond = () => lifecycle.stop(0);
  expect(await turn(new Resolver([['127.0.0.1']]), `http://hangs.example:${port}/hook`, 1, lifecycle)).toEqual([]);
  expect(received).toHaveLength(1);
});
