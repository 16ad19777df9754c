import { mintToken } from '@lyceum/testing';
import { rawHttp } from '../security/raw-http.js';
import { type Replica, startReplica } from '../stack/replica.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

/** Every write to it fails with ENOSPC, as on a full disk. */
const FULL = '/dev/full';
/** Each request writes at least one line. */
const SETTINGS = { LOG_LEVEL: 'debug' };

describe('services whose stdout and stderr are on a full disk', () => {
  const site = systemStack().sites[0]!;
  const { host } = new URL(site.base_url);
  let api: Replica;
  let gateway: Replica;

  beforeAll(async () => {
    [api, gateway] = await Promise.all([
      startReplica('admin-api', SETTINGS, FULL),
      startReplica('mcp-gateway', SETTINGS, FULL),
    ]);
  });
  afterAll(async () => {
    await Promise.all([api?.stop(), gateway?.stop()]);
  });

  it('writes and reads through the operator API with a full disk', async () => {
    const { access_token } = await mintToken({
      site,
      ...personOf(site, 'owner'),
      ...clientOf(site, 'operator', 'public'),
      scope: 'openid courses:read courses:write',
    });
    const headers = { host, authorization: `Bearer ${access_token}` };
    const json = { name: 'On a full disk', slug: 'on-a-full-disk' };
    const written = await rawHttp(api.url, '/api/v1/courses', { headers, json });
    expect(written.status).toBe(201);
    const read = await rawHttp(api.url, `/api/v1/courses/${String(written.body['id'])}`, { headers });
    expect([read.status, read.body['slug']]).toEqual([200, 'on-a-full-disk']);
  });

  it('calls a tool with a full disk', async () => {
    const response = await rawHttp(gateway.url, '/mcp', {
      headers: { host, accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'browse_catalog', arguments: {} } },
    });
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('structuredContent')]);
  });

  it('refuses a request with a problem, without the error of the log', async () => {
    for (const [replica, path] of [
      [api, '/api/v1/courses'],
      [gateway, '/nothing'],
    ] as const) {
      const response = await rawHttp(replica.url, path, { headers: { host } });
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(response.text).not.toMatch(/ENOSPC|no space/);
    }
  });

  it('counts the dropped lines', async () => {
    for (const { managementUrl } of [api, gateway]) {
      const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
      expect(Number(/^log_lines_dropped_total\{.*\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    }
  });
});
