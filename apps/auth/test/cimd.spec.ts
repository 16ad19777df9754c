import { eventually } from '@lyceum/testing';
import { SitesService } from '#src/sites/sites.service.js';
import { REDIRECT, startDocumentClients } from './document-clients.js';
import type { DocumentClients } from './document-clients.js';
import { Flow } from './flow.js';

describe('A client by document (Client ID Metadata Document)', () => {
  let cimd: DocumentClients;

  beforeAll(async () => {
    cimd = await startDocumentClients();
  });
  beforeEach(() => cimd.reset());
  afterAll(() => cimd.stop());

  it('completes the whole flow for a client by document, with its id in the tokens', async () => {
    const client_id = cimd.publish();
    const { access_token, scope } = await cimd.tokensOf(client_id);
    expect(scope).toBe('openid courses:read');
    const { body } = await new Flow(cimd.auth).introspect(access_token);
    expect(body).toMatchObject({ active: true, client_id, audience: 'operator' });
    expect(await cimd.stored(client_id)).toMatchObject({ name: 'An App', review: 'unreviewed' });
  });

  it.each([
    ['as ChatGPT writes it', 'app.example', { token_endpoint_auth_method: undefined }, REDIRECT],
    [
      'as Claude writes it',
      'claude.ai',
      {
        grant_types: ['authorization_code', 'refresh_token', 'unheard-of'],
        redirect_uris: ['http://localhost/callback'],
      },
      'http://localhost:51004/callback',
    ],
    [
      'as VS Code writes it',
      'app.example',
      { redirect_uris: ['http://127.0.0.1:33418/'], token_endpoint_auth_method: 'none' },
      'http://127.0.0.1:49152/',
    ],
  ])('accepts a client %s, on any port of loopback', async (_name, hostname, document, redirect_uri) => {
    const { scope } = await cimd.tokensOf(cimd.publish(document, hostname), { redirect_uri });
    expect(scope).toBe('openid courses:read');
  });

  it('refuses a client of a host that the site does not allow with a page, never a redirect', async () => {
    const page = await cimd.open(cimd.publish({}, 'other.example'));
    expect([page.status, page.url.origin]).toEqual([400, cimd.auth.site.base_url]);
    expect(page.body).toContain('invalid_client');
    expect(cimd.host.requests).toEqual([]);
  });

  it('refuses a URL that identifies no document without a request to a host', async () => {
    const page = await cimd.open('https://app.example/a/../client-1.json');
    expect([page.status, page.url.origin]).toEqual([400, cimd.auth.site.base_url]);
    expect(page.body).toContain('invalid_client');
    expect(cimd.host.requests).toEqual([]);
  });

  it('accepts clients of the known platforms at a site without settings', async () => {
    const { body } = await new Flow(cimd.auth, cimd.auth.other).send('/.well-known/oauth-authorization-server');
    expect(body['client_id_metadata_document_supported']).toBe(true);
    const site = await cimd.auth.app.get(SitesService).byId(cimd.auth.other.site_id);
    expect(site?.settings.cimd_hosts).toEqual(expect.arrayContaining(['claude.ai', 'chatgpt.com', 'vscode.dev']));
  });

  it('refuses all document clients at a site that allows none, and accepts them once it is open', async () => {
    const elsewhere = new Flow(cimd.auth, cimd.auth.other);
    await cimd.auth.app.get(SitesService).changeSettings(cimd.auth.other.site_id, () => ({ cimd_hosts: [] }));
    const metadata = async () => (await elsewhere.send('/.well-known/oauth-authorization-server')).body;
    const client_id = cimd.publish({ redirect_uris: ['http://127.0.0.1/'] }, 'other.example');
    const request = { resource: cimd.auth.other.base_url, redirect_uri: 'http://127.0.0.1:8400/' };
    // A replica sees a changed site a moment later.
    await eventually(metadata, (body) => !('client_id_metadata_document_supported' in body));
    expect((await cimd.open(client_id, request, elsewhere)).status).toBe(400);
    expect(await metadata()).not.toHaveProperty('client_id_metadata_document_supported');
    await cimd.administration.open(cimd.auth.other.site_id, true);
    await cimd.untilAccepted(() => cimd.open(client_id, request, elsewhere));
    expect(await metadata()).toMatchObject({ client_id_metadata_document_supported: true });
  });

  it('announces document clients in the metadata where the site allows a host', async () => {
    const { body } = await new Flow(cimd.auth).send('/.well-known/oauth-authorization-server');
    expect(body['client_id_metadata_document_supported']).toBe(true);
    expect(body['token_endpoint_auth_methods_supported']).toContain('none');
  });

  it.each([
    ['another client_id', { client_id: 'https://app.example/other.json' }],
    ['a secret method', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a foreign redirect URI', { redirect_uris: [REDIRECT, 'https://evil.example/'] }],
  ])('refuses a document with %s with a page', async (_name, document) => {
    const page = await cimd.open(cimd.publish(document));
    expect([page.status, page.url.origin]).toEqual([400, cimd.auth.site.base_url]);
    expect(page.body).toContain('invalid_client_metadata');
  });

  it('redirects only to URIs of the document', async () => {
    const page = await cimd.open(cimd.publish(), { redirect_uri: 'https://app.example/other' });
    expect([page.status, page.body.includes('invalid_redirect_uri')]).toEqual([400, true]);
  });

  it('fetches a document once for concurrent requests, and not again while it is fresh', async () => {
    const client_id = cimd.publish();
    const pages = await Promise.all(Array.from({ length: 8 }, () => cimd.open(client_id)));
    expect(pages.map(cimd.isAccepted)).toEqual(Array(8).fill(true));
    await cimd.open(client_id);
    expect(cimd.host.requests).toHaveLength(1);
  });

  it('keeps a document for its Cache-Control within limits, and then revalidates it', async () => {
    const client_id = cimd.publish();
    const { pathname } = new URL(client_id);
    const body = JSON.stringify({ client_id, redirect_uris: [REDIRECT] });
    cimd.host.serve(pathname, (_request, response) =>
      response.writeHead(200, { 'cache-control': 'max-age=7200', etag: '"one"' }).end(body),
    );
    await cimd.open(client_id);
    expect(await cimd.stored(client_id)).toMatchObject({ lasts: 7200, etag: '"one"', name: 'app.example' });
    cimd.host.serve(pathname, (incoming, response) =>
      response
        .writeHead(incoming.headers['if-none-match'] === '"one"' ? 304 : 500, { 'cache-control': 'max-age=1' })
        .end(),
    );
    await cimd.outdate(client_id);
    expect(cimd.isAccepted(await cimd.open(client_id))).toBe(true);
    expect(await cimd.stored(client_id)).toMatchObject({ lasts: 300, etag: '"one"' });
  });

  it.each<[string, Parameters<DocumentClients['host']['serve']>[1]]>([
    ['an invalid document', { redirect_uris: [] }],
    ['status 404', (_request, response) => response.writeHead(404).end()],
    ['status 500', (_request, response) => response.writeHead(500).end()],
  ])('accepts a document at once after %s', async (_name, failure) => {
    const client_id = cimd.publish();
    cimd.host.serve(new URL(client_id).pathname, failure);
    const pages = await Promise.all([cimd.open(client_id), cimd.open(client_id)]);
    expect(pages.map(({ status }) => status)).toEqual([400, 400]);
    cimd.change(client_id, {});
    expect(cimd.isAccepted(await cimd.open(client_id))).toBe(true);
  });

  it('waits a minute for a host that is down before the next fetch, while the stored document stands in', async () => {
    const client_id = cimd.publish();
    await cimd.open(client_id);
    cimd.host.down(true);
    await cimd.outdate(client_id);
    cimd.host.requests.splice(0);
    for (let count = 0; count < 3; count += 1) expect(cimd.isAccepted(await cimd.open(client_id))).toBe(true);
    expect(cimd.host.requests).toHaveLength(1);
  });

  it('accepts a stale document for a week while its host is down, and no longer', async () => {
    const [client_id, older, unknown] = [cimd.publish(), cimd.publish(), cimd.publish()];
    await cimd.open(client_id);
    await cimd.open(older);
    cimd.host.down(true);
    await cimd.outdate(client_id, '6 days 23 hours');
    await cimd.outdate(older, '7 days 1 second');
    expect(cimd.isAccepted(await cimd.open(client_id))).toBe(true);
    expect((await cimd.open(older)).status).toBe(400);
    expect((await cimd.open(unknown)).status).toBe(400);
  });

  it('revokes a client when its host returns 410', async () => {
    const client_id = cimd.publish();
    await cimd.open(client_id);
    cimd.host.serve(new URL(client_id).pathname, (_request, response) => response.writeHead(410).end());
    await cimd.outdate(client_id);
    expect((await cimd.open(client_id)).status).toBe(400);
  });

  it('refreshes, introspects and revokes tokens without the host of the document', async () => {
    const client_id = cimd.publish();
    const tokens = await cimd.tokensOf(client_id);
    cimd.host.down(true);
    await cimd.outdate(client_id, '30 days');
    cimd.host.requests.splice(0);
    const flow = new Flow(cimd.auth);
    const { status, body } = await flow.refresh(tokens.refresh_token, { client_id });
    expect(status).toBe(200);
    const access_token = String(body['access_token']);
    expect((await flow.introspect(access_token, { client_id })).body).toMatchObject({ active: true, client_id });
    expect((await flow.post('/api/oauth/revoke', { token: access_token, client_id })).status).toBe(200);
    expect(await flow.isActive(access_token)).toBe(false);
    expect(cimd.host.requests).toEqual([]);
  });
});
