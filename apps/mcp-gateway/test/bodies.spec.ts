import { Gateway, post, rpcErrorOf, send, wire } from './gateway.js';
import type { Era } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

const message = wire('older', { id: 1, method: 'tools/list' }).body;

/** Headers without an era, and those of the newest. */
const HEADERS: Record<string, string>[] = [{}, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'x' }];

describe('a body', () => {
  it.each([
    '',
    '{',
    'null',
    '1',
    '"x"',
    '[]',
    '{}',
    '{"jsonrpc":"2.0"}',
    '\u0000',
    '{"jsonrpc":"2.0","id":1,"method":"x"}}',
  ])('returns a JSON-RPC error for an invalid message (%j)', async (text) => {
    const reply = await post(gateway.url, text);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } });
  });

  it.each([
    { ...message, id: {} },
    { ...message, id: null },
    { ...message, id: 1.5 },
    { ...message, method: 5 },
    { ...message, method: '' },
    { ...message, params: [] },
    { ...message, params: 'x' },
    { ...message, jsonrpc: '1.0' },
    { ...message, method: 'tools/call' },
    { ...message, method: 'tools/call', params: {} },
    { ...message, method: 'tools/call', params: { name: 5 } },
    { ...message, method: 'tools/call', params: { name: ['list_courses'] } },
    { ...message, method: 'tools/call', params: { name: 'browse_catalog', arguments: [] } },
    { ...message, method: 'tools/call', params: { name: 'browse_catalog', arguments: 'x' } },
    { ...message, method: 'tools/call', params: { name: 'tools.>' } },
    { ...message, method: 'tools/call', params: { name: 'ſearch_catalog' } },
    { ...message, method: 'tools/call', params: { name: '__proto__' } },
    { ...message, method: 'tools/call', params: { name: 'x'.repeat(10_000) } },
    { ...message, method: 'tools/list', params: { cursor: '!!' } },
    { ...message, method: 'tools/list', params: { cursor: 5 } },
    { ...message, method: 'tools/list', params: { _meta: 5 } },
    { ...message, method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 5 } } },
    {
      ...message,
      method: 'tools/list',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    },
    { ...message, method: 'resources/list' },
    { ...message, method: 'constructor' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ])('causes no internal error for an odd message (%j)', async (body) => {
    for (const headers of HEADERS) {
      const reply = await post(gateway.url, body, { headers });
      expect(reply.status).toBeLessThan(500);
      expect(rpcErrorOf(reply).code).not.toBe(-32603);
      expect(JSON.stringify(reply.body)).not.toMatch(/\.(ts|js):\d+|node_modules/);
    }
  });

  // The modern revision has no `initialize`.
  it.each<[Era[], string, object[]]>([
    [
      ['older'],
      'initialize',
      [
        {},
        { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        { protocolVersion: '2025-06-18', capabilities: [], clientInfo: { name: 'x', version: '1' } },
        { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x' } },
      ],
    ],
    [
      ['older', 'modern'],
      'prompts/get',
      [{}, { name: 5 }, { name: 'greeting', arguments: { ['x'.repeat(1_000)]: 5 } }],
    ],
    [['older', 'modern'], 'resources/read', [{}, { uri: 5 }, { uri: ['lyceum://x'] }]],
    [
      ['older', 'modern'],
      'completion/complete',
      [
        {},
        { ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'x', value: '' } },
        { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x' } },
        { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' }, context: { arguments: [] } },
      ],
    ],
    [['older', 'modern'], 'tools/call', [{}, { name: 5 }, { name: 'browse_catalog', arguments: 'x' }]],
    [['older', 'modern'], 'tools/list', [{ cursor: 5 }]],
  ])('returns -32602 with the member’s name for wrong params (%j %s)', async (eras, method, wrong) => {
    for (const era of eras) {
      for (const params of wrong) {
        const reply = await send(gateway.url, era, { id: 7, method, params: { ...params } });
        expect([era, params, reply.body]).toMatchObject([era, params, { id: 7, error: { code: -32602 } }]);
        expect(rpcErrorOf(reply).message).toMatch(/params/);
        expect(rpcErrorOf(reply).message?.length).toBeLessThanOrEqual(500);
      }
    }
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/html',
    '',
  ])('returns 415 for a body of the type %s', async (type) => {
    const reply = await post(gateway.url, JSON.stringify(message), { headers: { 'content-type': type } });
    expect(reply.status).toBe(415);
  });

  it('accepts a character set', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'mcp-protocol-version': '2025-06-18' };
    expect((await post(gateway.url, message, { headers })).status).toBe(200);
  });

  it('accepts a body at the limit, and not one byte more', async () => {
    const limit = 256 * 1024;
    const text = JSON.stringify(message);
    expect((await post(gateway.url, text + ' '.repeat(limit - text.length))).status).toBe(200);
    for (const bytes of [limit + 1, 4 * limit])
      expect((await post(gateway.url, text + ' '.repeat(bytes - text.length))).status).toBe(413);
  });

  it('serves a client that accepts any type', async () => {
    const { status } = await post(gateway.url, message, { headers: { accept: '*/*' } });
    expect(status).toBe(200);
  });

  it('rejects an unsupported revision and lists the supported ones', async () => {
    const reply = await post(gateway.url, message, { headers: { 'mcp-protocol-version': '2024-11-05' } });
    expect(reply.status).toBe(400);
    expect(rpcErrorOf(reply).message).toContain('2025-11-25, 2025-06-18, 2025-03-26');
  });
});
