import type { ServerResponse } from 'node:http';
import type { OutboundNetwork } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { LogoFetcher } from '#src/client-logos/logo-fetcher.js';
import { LOGO_LIMITS } from '#src/client-logos/logo-limits.js';
import { startDocumentClients } from './document-clients.js';
import type { DocumentClients } from './document-clients.js';
import { Flow } from './flow.js';

const LOGO = 'https://app.example/logo.png';

/** A PNG of 64 × 64 pixels, as far as its header. */
function png(length = 64): Buffer {
  const bytes = Buffer.alloc(length);
  Buffer.from('89504e470d0a1a0a0000000d494844520000004000000040', 'hex').copy(bytes);
  return bytes;
}

let clients: DocumentClients;

beforeAll(async () => {
  clients = await startDocumentClients();
  await clients.untilAccepted(() => clients.open(clients.publish()));
});
beforeEach(() => clients.reset());
afterAll(() => clients.stop());

const respond = (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
  clients.host.serve(
    '/logo.png',
    (_request, response: ServerResponse) => void response.writeHead(status, headers).end(body),
  );
const review = (client_id: string, state: 'approved' | 'blocked' | 'unreviewed') =>
  clients.administration.review(clients.auth.site.site_id, client_id, state);
/** Approves the client, and waits until its logo was fetched or refused. */
async function approve(client_id: string): Promise<void> {
  await review(client_id, 'approved');
  const open = `select 1 from client_logos join clients using (client_key) where client_id = $1 and ended_at is null`;
  await eventually(
    () => clients.auth.sql(open, [client_id]),
    (rows) => rows.length === 0,
  );
}
async function published(document: object = { logo_uri: LOGO }): Promise<string> {
  const client_id = clients.publish(document);
  await clients.open(client_id);
  return client_id;
}
async function consentOf(client_id: string): Promise<string> {
  const flow = new Flow(clients.auth);
  return (await flow.signIn(await clients.open(client_id, {}, flow), 'owner')).body;
}
const logoIn = (body: string): string | undefined => /<img class="tile" src="([^"]+)"/.exec(body)?.[1];
const logoRequests = (): number => clients.host.requests.filter((one) => one.endsWith('/logo.png')).length;
const get = (path: string, site = clients.auth.site) => fetch(new URL(path, site.base_url), { redirect: 'manual' });

describe('The consent page', () => {
  it('shows the logo that was fetched once at the approval, from the origin of its site', async () => {
    respond(200, png(), { 'content-type': 'text/html' });
    const client_id = await published();
    expect([logoIn(await consentOf(client_id)), logoRequests()]).toEqual([undefined, 0]);
    await approve(client_id);
    const flow = new Flow(clients.auth);
    const page = await flow.signIn(await clients.open(client_id, {}, flow), 'owner');
    const path = logoIn(page.body) ?? '';
    expect(path).toMatch(/^\/oauth\/logos\/[0-9a-f-]{36}$/);
    const policy = (
      await flow.send(page.url.pathname, { headers: { cookie: flow.browser.cookiesFor(page.url.pathname) } })
    ).headers.get('content-security-policy');
    expect(policy).toMatch(/img-src data: 'self'/);
    const logo = await get(path);
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(png());
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect([(await get(path, clients.auth.other)).status, logoRequests()]).toEqual([404, 1]);
  });

  it('loses the logo with the approval', async () => {
    respond(200, png());
    const client_id = await published();
    await approve(client_id);
    const path = logoIn(await consentOf(client_id)) ?? '';
    await review(client_id, 'unreviewed');
    expect([(await get(path)).status, logoIn(await consentOf(client_id))]).toEqual([404, undefined]);
    await approve(client_id);
    expect((await get(path)).status).toBe(200);
    clients.change(client_id, { client_name: 'Another App', logo_uri: LOGO });
    await clients.outdate(client_id);
    await clients.open(client_id);
    expect((await get(path)).status).toBe(404);
  });

  it('keeps the approved logo when the document names another one', async () => {
    respond(200, png());
    const client_id = await published();
    await approve(client_id);
    clients.change(client_id, { logo_uri: 'https://app.example/other.png' });
    await clients.outdate(client_id);
    const path = logoIn(await consentOf(client_id)) ?? '';
    expect([(await get(path)).status, clients.host.requests.filter((one) => one.endsWith('/other.png'))]).toEqual([
      200,
      [],
    ]);
  });

  it.each([
    ['an SVG', 200, '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/svg+xml' }],
    ['a page as an image', 200, '<script>alert(1)</script>', { 'content-type': 'image/png' }],
    ['an image above the limit', 200, png(LOGO_LIMITS.bytes + 1), {}],
    ['a redirect', 302, '', { location: 'https://app.example/client.json' }],
    ['a missing one', 404, '', {}],
  ])('shows the initial in place of %s', async (_what, status, body, headers: Record<string, string>) => {
    respond(status, body, headers);
    const client_id = await published();
    await approve(client_id);
    expect([logoIn(await consentOf(client_id)), logoRequests()]).toEqual([undefined, 1]);
  });

  it.each([
    'http://app.example/logo.png',
    'https://127.0.0.1/logo.png',
    'https://localhost/logo.png',
    'https://app.example:8443/logo.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    42,
  ])('fetches no logo from %p', async (logo_uri) => {
    const client_id = await published({ logo_uri });
    await approve(client_id);
    const [row] = await clients.auth.sql(
      `select 1 from client_logos join clients using (client_key) where client_id = $1`,
      [client_id],
    );
    expect([row, logoIn(await consentOf(client_id))]).toEqual([undefined, undefined]);
  });

  it('returns 404 for the logo of an unknown or malformed key', async () => {
    for (const key of ['00000000-0000-4000-8000-000000000000', 'x', '%2e%2e', "'"])
      expect((await get(`/oauth/logos/${key}`)).status).toBe(404);
  });

  it('fetches no logo from a host whose name resolves to a private address', async () => {
    respond(200, png());
    const network = { ...clients.host.network, permits: () => false } as OutboundNetwork;
    const fetched = await new LogoFetcher(network).fetch(new URL(LOGO));
    expect([fetched.kind, logoRequests()]).toEqual(['unreachable', 0]);
    const permitted = new LogoFetcher(clients.host.network);
    expect(await permitted.fetch(new URL(LOGO))).toMatchObject({ kind: 'found', type: 'image/png' });
  });
});
