import { rawHttp } from './raw-http.js';
import { type Replica, startReplica } from '../stack/replica.js';
import { systemStack } from '../stack/system-stack.js';

/** Above every limit of an anonymous source. */
const MESSAGES = 600;
const AT_ONCE = 20;

describe('a gateway with the default TRUSTED_PROXIES', () => {
  const { host } = new URL(systemStack().sites[0]!.base_url);
  let gateway: Replica;
  beforeAll(async () => {
    gateway = await startReplica('mcp-gateway', { TRUSTED_PROXIES: null, ANONYMOUS_MESSAGES: null });
  });
  afterAll(() => gateway?.stop());

  it('limits a source that names another X-Forwarded-For in each request', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < MESSAGES && !statuses.includes(429); sent += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, async (_none, index) => {
        const source = `198.51.${Math.floor((sent + index) / 250)}.${(sent + index) % 250}`;
        const headers = { host, accept: 'application/json, text/event-stream', 'x-forwarded-for': source };
        const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
        return (await rawHttp(gateway.url, '/mcp', { headers, json })).status;
      });
      statuses.push(...(await Promise.all(batch)));
    }
    // Replicas share the window of this source: other suites may have spent it before.
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses).toContain(429);
  });

  it('does not take the site from X-Forwarded-Host', async () => {
    const headers = { host: 'unknown.example', 'x-forwarded-host': host };
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await rawHttp(gateway.url, '/mcp', { headers, json })).status).toBe(421);
  });
});
