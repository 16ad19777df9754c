import { connect } from 'node:net';
import { AUTH, rawHttp, site, type ApiResponse } from './attack.js';

const METADATA = '/.well-known/oauth-authorization-server';
const host = new URL(site.base_url).host;
const get = (path: string, at = host): Promise<ApiResponse> => rawHttp(site.base_url, path, { headers: { host: at } });

it('serves metadata under the host of the site', async () => {
  expect((await get(METADATA)).body['issuer']).toBe(site.base_url);
});

it.each([
  ['without a site', 'evil.example'],
  ['with the site’s as a subdomain', `${host}.evil.example`],
  ['with the site’s as a user name', `${host}@evil.example`],
  ['with another port', 'localhost:1'],
  ['with a path', `${host}/evil`],
  ['with a second one after a comma', `${host}, evil.example`],
  ['that is far too long', `${'a'.repeat(4000)}.example`],
])('returns an uncacheable error for a host %s', async (_what, at) => {
  const { status, headers, text } = await get(METADATA, at);
  expect([400, 421]).toContain(status);
  expect(headers['cache-control'] ?? '').not.toContain('public');
  expect(text).not.toContain('"issuer"');
});

/** Sends these header lines unchanged. Returns the raw response. */
async function lines(base: string, ...sent: string[]): Promise<string> {
  const { port, hostname } = new URL(base);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  // A server may drop a request whose client has closed its half before the response.
  socket.write(`${sent.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  let received = '';
  for await (const part of socket) received += part as string;
  return received;
}

it('refuses two Host headers, none, or an empty one', async () => {
  const get11 = `GET ${METADATA} HTTP/1.1`;
  expect(await lines(AUTH.internal_url, get11, `Host: ${host}`)).toContain(`"issuer":"${site.base_url}"`);
  for (const hosts of [
    [`Host: ${host}`, 'Host: evil.example'],
    ['Host: evil.example', `Host: ${host}`],
    ['Host:'],
    [],
  ]) {
    expect(await lines(AUTH.internal_url, get11, ...hosts)).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(await lines(site.base_url, get11, ...hosts)).not.toContain('evil.example');
  }
});

it('ignores the host of an absolute request target', async () => {
  const response = await get(`http://evil.example${METADATA}`);
  expect(response.status).toBe(400);
  expect(response.headers['cache-control'] ?? '').not.toContain('public');
});
