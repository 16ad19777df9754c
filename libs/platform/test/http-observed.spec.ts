import { HealthRegistry } from '../src/index.js';
import { slowRequests, startUnderTest } from './service-under-test.js';
import type { ServiceUnderTest } from './service-under-test.js';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startUnderTest();
});
afterAll(() => service.close());

const get = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);

describe('the request log', () => {
  it('writes one line per request, at debug level, without the query', async () => {
    await get('/things/end/outcome?code=hunter2&state=hunter3', { headers: { 'x-request-id': 'line-1' } });
    const lines = await linesOf('line-1');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'debug',
        message: 'request',
        method: 'GET',
        route: '/things/end/outcome',
        path: '/things/end/outcome',
        status: 409,
        duration_ms: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(service.lines)).not.toContain('hunter');
  });

  it('redacts paths by parameter name, and by segment length without a route', async () => {
    const [known, secret] = ['11111111-1111-4111-8111-111111111111', 'hunter'.repeat(7)];
    const pathOf = async (path: string, id: string): Promise<unknown> => {
      await get(path, { headers: { 'x-request-id': id } });
      return (await linesOf(id)).find(({ message }) => message === 'request')?.['path'];
    };
    expect(await pathOf(`/things/links/hunter/${known}?x=hunter`, 'path-1')).toBe(
      '/things/links/[redacted]/[redacted]',
    );
    expect(await pathOf('/things/a-name', 'path-2')).toBe('/things/a-name');
    expect(await pathOf(`/gone/${known}/${secret}`, 'path-3')).toBe(`/gone/${known}/[redacted]`);
    expect(JSON.stringify(service.lines)).not.toContain('hunter');
  });

  it('uses info level for a failed request', async () => {
    await get('/things/end/unavailable', { headers: { 'x-request-id': 'line-2' } });
    const failed = { level: 'info', status: 503, outcome: 'temporarily_unavailable' };
    expect(await linesOf('line-2')).toEqual([expect.objectContaining(failed)]);
  });

  it('includes the reason of an unavailability in one line', async () => {
    await get('/things/end/refused', { headers: { 'x-request-id': 'line-4' } });
    const reason = 'connect ECONNREFUSED 10.1.2.3:5432';
    expect(await linesOf('line-4')).toEqual([expect.objectContaining({ status: 503, reason })]);
  });

  it('logs 499 for a request whose client disconnected', async () => {
    const headers = { 'x-request-id': 'line-3' };
    const abort = new AbortController();
    slowRequests.once('begin', () => abort.abort(new Error('gone')));
    await expect(get('/things/end/slow', { headers, signal: abort.signal })).rejects.toThrow('gone');
    expect(await linesOf('line-3')).toContainEqual(expect.objectContaining({ status: 499 }));
  });
});

describe('the management listener', () => {
  it('serves /livez and /readyz', async () => {
    expect((await fetch(`${service.managementUrl}/livez`)).status).toBe(200);
    const ready = await fetch(`${service.managementUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ ready: true, checks: {} });
  });

  it('responds with 503 when a check takes longer than READINESS_TIMEOUT_MS', async () => {
    const hasty = await startUnderTest({ env: { READINESS_TIMEOUT_MS: '150' } });
    try {
      hasty.app.get(HealthRegistry).add({ name: 'hangs', ready: () => new Promise<void>(() => undefined) });
      const ready = await fetch(`${hasty.managementUrl}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { ready: false, checks: { hangs: 'not_ready' }, reasons: { hangs: 'no answer within 150 ms' } },
      ]);
    } finally {
      await hasty.close();
    }
  });

  it('shares no path with the surface', async () => {
    expect((await fetch(`${service.managementUrl}/things`)).status).toBe(404);
    expect((await fetch(`${service.managementUrl}/livez`, { method: 'POST' })).status).toBe(405);
    for (const path of ['/livez', '/readyz', '/metrics']) expect((await get(path)).status).toBe(404);
  });

  it('labels request metrics with the route’s pattern, never the path', async () => {
    await get('/things/11111111-1111-4111-8111-111111111111');
    await get('/wp-login.php');
    await get('/things', { method: 'LOCK' });
    const text = await metrics();
    expect(text).toMatch(
      /http_server_request_duration_seconds_count\{.*method="GET",route="\/things\/:id",status="200"\} 1/,
    );
    expect(text).toMatch(/method="GET",route="unmatched",status="404"/);
    expect(text).toMatch(/method="other",route="unmatched",status="405"/);
    expect(text).not.toMatch(/1111-|wp-login/);
  });

  it('counts responses by class of status, from 0', async () => {
    const count = async (statusClass: string): Promise<number> =>
      Number(
        new RegExp(`^http_server_responses_total\\{.*class="${statusClass}".* (\\d+)$`, 'm').exec(await metrics())?.[1],
      );
    expect(await count('1xx')).toBe(0);
    const before = await count('5xx');
    await get('/things/end/unavailable');
    expect(await count('5xx')).toBe(before + 1);
  });

  it.each(['nodejs_eventloop_lag_p99_seconds', 'nodejs_gc_duration_seconds', 'nodejs_heap_size_used_bytes'])(
    'exposes %s',
    async (name) => {
      expect(await metrics()).toContain(`# HELP ${name} `);
    },
  );
});

async function metrics(): Promise<string> {
  return (await fetch(`${service.managementUrl}/metrics`)).text();
}

/** The log lines of a request; the last one is written just after the response. */
async function linesOf(requestId: string): Promise<Record<string, unknown>[]> {
  const lines = () => service.lines.filter((line) => line['request_id'] === requestId);
  while (!lines().some((line) => line['message'] === 'request')) await new Promise(setImmediate);
  return lines();
}
