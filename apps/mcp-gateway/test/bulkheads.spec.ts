import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Allowance } from '@lyceum/rate-limit';
import { eventually } from '@lyceum/testing';
import { BULKHEAD } from '#src/calls/calls.service.js';
import { STREAMS } from '#src/limits/open-streams.js';
import { SchoolTools } from './fixture.tools.js';
import { ERAS, Gateway, call, newSource, request, send, wire } from './gateway.js';
import type { Era, Message, ReceivedResponse } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

const errorOf = ({ body }: ReceivedResponse): unknown =>
  (JSON.parse(body.result?.content?.[0]?.text ?? '{}') as { error?: unknown }).error;

/** Failed calls in the counter of the objective of tools. */
async function unavailableCalls(): Promise<number> {
  const text = await (await fetch(`${gateway.replicas[0]?.managementUrl}/metrics`)).text();
  return Number(/^tool_calls_total\{.*outcome="temporarily_unavailable".* (\d+)$/m.exec(text)?.[1]);
}

describe('a service that does not respond', () => {
  it('counts failures of calls from 0', async () => {
    expect(await unavailableCalls()).toBe(0);
  });

  it('queues calls up to the limit, rejects one more at once, and slows no other service', async () => {
    SchoolTools.calls = [];
    SchoolTools.release = Promise.withResolvers<void>();
    const waiting = Array.from({ length: BULKHEAD }, () => call(gateway.url, 'modern', 'wait_for_it'));
    // The instance's concurrency limit; the other calls wait there.
    await eventually(() => SchoolTools.calls.length === 64);
    await eventually(async () => {
      const reply = await call(gateway.url, 'modern', 'browse_catalog', {}, { source: newSource() });
      return JSON.stringify(errorOf(reply))?.includes('too much to do');
    });
    expect(await unavailableCalls()).toBeGreaterThan(0);
    const other = await call(gateway.url, 'modern', 'my_courses', {}, { token: 'member.1' });
    expect(other.body.result?.isError).toBeUndefined();
    SchoolTools.release.resolve();
    const responses = await Promise.all(waiting);
    expect(responses.filter((response) => errorOf(response) === undefined).length).toBeGreaterThanOrEqual(BULKHEAD - 1);
    const after = await call(gateway.url, 'modern', 'browse_catalog');
    expect(after.body.result?.isError).toBeUndefined();
  });
});

const LISTEN: Message = {
  id: 'changes',
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true } },
};

describe('subscriptions', () => {
  /** A stream that is open until it is aborted. */
  async function subscribe(source: string): Promise<{ status: number; wait: string | null; close: () => void }> {
    const { body, headers } = wire('modern', LISTEN);
    const abort = new AbortController();
    const response = await request(gateway.url, body, { source, headers, signal: abort.signal });
    return { status: response.status, wait: response.headers.get('retry-after'), close: () => abort.abort() };
  }

  it('refuses more subscriptions of a caller than docs/tools.md says with 429, until one is closed', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/tools.md'), 'utf8');
    expect(page).toMatch(
      new RegExp(`^\\| open \`subscriptions/listen\` of one caller +\\| ${STREAMS.perCaller} `, 'm'),
    );
    const source = newSource();
    const open = await Promise.all(Array.from({ length: STREAMS.perCaller }, () => subscribe(source)));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    expect(await subscribe(source)).toMatchObject({ status: 429, wait: '60' });
    // Other requests of the caller, and other callers, are served.
    expect((await call(gateway.url, 'modern', 'browse_catalog', {}, { source })).status).toBe(200);
    const other = await subscribe(newSource());
    expect(other.status).toBe(200);
    open[0]?.close();
    const more: { close: () => void }[] = [];
    await eventually(async () => {
      const again = await subscribe(source);
      more.push(again);
      return again.status === 200;
    });
    for (const stream of [...open, ...more, other]) stream.close();
  });

  it('does not count a subscription whose client disconnects during the lease of its rate', async () => {
    const source = newSource();
    await disconnectDuringLease('modern', LISTEN, source);
    const open = await Promise.all(Array.from({ length: STREAMS.perCaller }, () => subscribe(source)));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    for (const stream of open) stream.close();
  });
});

it.each(ERAS)('does not start a call whose client disconnects during the lease, in the %s era', async (era) => {
  SchoolTools.calls = [];
  const search = { method: 'tools/call', params: { name: 'browse_catalog', arguments: { first: 1 } } };
  await disconnectDuringLease(era, search, newSource());
  await call(gateway.url, era, 'browse_catalog', { first: 2 });
  expect(SchoolTools.calls).toMatchObject([{ input: { first: 2 } }]);
});

/** Sends a message, and disconnects while the gateway waits for the lease of its rate. */
async function disconnectDuringLease(era: Era, message: Message, source: string): Promise<void> {
  const app = gateway.replicas[0]?.app;
  if (app === undefined) throw new Error('no replica runs');
  const lease = Promise.withResolvers<Allowance>();
  const take = jest.spyOn(app.get(RateLimiter), 'take').mockReturnValueOnce(lease.promise);
  const received = once(app.getHttpServer(), 'request') as Promise<[unknown, ServerResponse]>;
  const abort = new AbortController();
  const sent = send(gateway.url, era, message, { source, signal: abort.signal });
  const [, response] = await received;
  const closed = once(response, 'close');
  await eventually(() => take.mock.calls.length === 1);
  abort.abort();
  await expect(sent).rejects.toThrow('aborted');
  await closed;
  take.mockRestore();
  lease.resolve({ remaining: 1, resetSeconds: 1 });
}

describe('slow bodies', () => {
  it('gives a slow body half a minute, as docs/tools.md says, and its head a quarter', () => {
    const limits = readFileSync(join(__dirname, '../../../docs/tools.md'), 'utf8');
    expect(limits).toMatch(/^\| body of a message .* within 30 s .*\(`REQUEST_TIMEOUT_MS`\)/m);
    const [replica] = gateway.replicas;
    const server = replica?.app.getHttpServer() as { requestTimeout: number; headersTimeout: number };
    expect(server.requestTimeout).toBe(30_000);
    expect(server.headersTimeout).toBe(15_000);
  });
});
