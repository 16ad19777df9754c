import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { newSource } from '../../discovery/walker.js';
import { command } from '../../stack/auth-command.js';
import { AUTH, CALLBACK, encoded, rawHttp, s256, type ApiResponse } from './attack.js';

/** A separate site that accepts client documents from every host. */
const OPEN = { base_url: 'http://documents.ssrf.example', host: 'documents.ssrf.example' } as const;
let listener: Server;
let connections = 0;
let port = 0;

beforeAll(async () => {
  await command('site', 'create', '--base-url', OPEN.base_url, '--name', 'Documents', '--slug', 'ssrf-documents');
  await command('cimd', 'open', '--site', OPEN.base_url);
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve));
  ({ port } = listener.address() as AddressInfo);
});
afterAll(() => new Promise((resolve) => listener.close(resolve)));

/** Document fetches are limited by source, so each test uses another source. */
function authorize(client_id: string): Promise<ApiResponse> {
  const query = encoded({
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    scope: 'openid',
    state: 'x',
    code_challenge: s256('x'),
    code_challenge_method: 'S256',
  });
  const headers = { host: OPEN.host, 'x-forwarded-for': newSource() };
  return rawHttp(AUTH.internal_url, `/oauth/authorize?${query.toString()}`, { headers });
}

/** Expects a page that reveals nothing about the internal network, and no redirect. */
async function expectRefused(client_id: string): Promise<ApiResponse> {
  const response = await authorize(client_id);
  expect([client_id, response.status, response.headers['location']]).toEqual([client_id, 400, undefined]);
  expect(response.text).toContain('invalid_client');
  expect(response.text).not.toMatch(/ECONN|ENOTFOUND|EAI_|not public|certificate/i);
  return response;
}

// The suites of auth have each URL that is refused, and each address that is not public.
it.each([
  ['this machine', () => `https://127.0.0.1:${port}/client`],
  ['this machine, by a name below its own', () => `https://client.localhost:${port}/client`],
])('fetches no document from %s', async (_where, client_id) => {
  await expectRefused(client_id());
  expect(connections).toBe(0);
});

it('returns the same response for an internal name as for an unknown name', async () => {
  const words = async (name: string): Promise<string> =>
    (await expectRefused(`https://${name}/client`)).text.replaceAll(name, '');
  expect(await words('client.localhost')).toBe(await words('unknown.documents.invalid'));
  expect(connections).toBe(0);
});

it('accepts a document from an allowed address', async () => {
  const response = await expectRefused('https://app.documents.invalid/client');
  expect(response.text).toContain('could not be fetched');
});
