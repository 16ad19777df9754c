import { IDENTITY_SCOPES } from '@lyceum/contracts';
import type { Page } from '@lyceum/testing';
import { DocumentAdministration } from '#src/cimd/document.administration.js';
import { LIMITS } from '#src/limits/limits.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { startDocumentHost } from './document-host.js';
import type { DocumentHost } from './document-host.js';
import { Flow } from './flow.js';
import type { Parameters } from './flow.js';

const REDIRECT = 'https://app.example/callback';

describe('A client by document (Client ID Metadata Document)', () => {
  let host: DocumentHost;
  let auth: TestAuth;
  let administration: DocumentAdministration;
  let paths = 0;

  beforeAll(async () => {
    host = await startDocumentHost();
    auth = await startAuth({ documents: host.network });
    administration = auth.app.get(DocumentAdministration);
    await administration.allow(auth.site.site_id, 'app.example');
    await administration.allow(auth.site.site_id, 'claude.ai');
  });
  beforeEach(async () => {
    host.requests.splice(0);
    host.down(false);
    await auth.sql('DELETE FROM rate_limits');
  });
  afterAll(async () => {
    await auth.stop();
    await host.stop();
  });

  /** A document at an address of its own; its client_id. */
  const publish = (document: object = {}, hostname = 'app.example'): string => {
    const path = `/client-${(paths += 1)}.json`;
    const client_id = `https://${hostname}${path}`;
    host.serve(path, { client_id, client_name: 'An App', redirect_uris: [REDIRECT], ...document });
    return client_id;
  };
  const change = (client_id: string, document: object): void =>
    host.serve(new URL(client_id).pathname, {
      client_id,
      client_name: 'An App',
      redirect_uris: [REDIRECT],
      ...document,
    });
  const request = (client_id: string, more: Parameters = {}): Parameters => ({
    client_id,
    redirect_uri: REDIRECT,
    scope: 'openid courses:read',
    ...more,
  });
  const open = (client_id: string, more: Parameters = {}, flow = new Flow(auth)): Promise<Page> =>
    flow.browser.open(flow.authorizationUrl(request(client_id, more)));
  const isAccepted = (page: Page): boolean => page.status === 200 && page.body.includes('name="password"');
  const tokensOf = async (client_id: string, more: Parameters = {}) => {
    const flow = new Flow(auth);
    const callback = await flow.callback(request(client_id, more), 'owner');
    const redirect_uri = more['redirect_uri'] ?? REDIRECT;
    const { status, body } = await flow.exchange(callback.get('code'), { client_id, redirect_uri });
    expect(status).toBe(200);
    return body as { access_token: string; refresh_token: string; scope: string };
  };
  const outdate = (client_id: string, by = '1 second') =>
    auth.sql(
      `UPDATE client_documents d SET expires_at = now() - $2::interval
         FROM clients c WHERE c.client_key = d.client_key AND c.client_id = $1`,
      [client_id, by],
    );
  const stored = async (client_id: string) => {
    const [row] = await auth.sql<{
      name: string;
      review: string;
      redirect_uris: string[];
      lasts: number;
      etag: string;
    }>(
      `SELECT name, review, redirect_uris, etag, extract(epoch FROM expires_at - fetched_at)::int AS lasts
         FROM clients JOIN client_documents USING (client_key) WHERE client_id = $1`,
      [client_id],
    );
    return row;
  };

  it('goes through the whole flow, and its tokens say whose they are', async () => {
    const client_id = publish();
    const { access_token, scope } = await tokensOf(client_id);
    expect(scope).toBe('openid courses:read');
    const { body } = await new Flow(auth).introspect(access_token);
    expect(body).toMatchObject({ active: true, client_id, audience: 'operator' });
    expect(await stored(client_id)).toMatchObject({ name: 'An App', review: 'unreviewed' });
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
  ])('works %s, on any port of loopback', async (_name, hostname, document, redirect_uri) => {
    const { scope } = await tokensOf(publish(document, hostname), { redirect_uri });
    expect(scope).toBe('openid courses:read');
  });

  it('is refused with a page, never a redirect, from a host that the site does not allow', async () => {
    const page = await open(publish({}, 'other.example'));
    expect([page.status, page.url.origin]).toEqual([400, auth.site.base_url]);
    expect(page.body).toContain('invalid_client');
    expect(host.requests).toEqual([]);
  });

  it.each([
    'https://app.example/',
    'https://app.example/a/../client-1.json',
    'https://user@app.example/client-1.json',
    'https://app.example:444/client-1.json',
    'https://app.example./client-1.json',
    'https://127.0.0.1/client-1.json',
    'https://2130706433/client-1.json',
    'https://[::1]/client-1.json',
    'http://app.example/client-1.json',
    'https://localhost/client-1.json',
  ])('is refused without a request at %s', async (client_id) => {
    const page = await open(client_id);
    expect([page.status, page.url.origin]).toEqual([400, auth.site.base_url]);
    expect(page.body).toContain('invalid_client');
    expect(host.requests).toEqual([]);
  });

  it('is refused at a site that has allowed nothing, and taken there once the site is open to all', async () => {
    const elsewhere = new Flow(auth, auth.other);
    const metadata = async () => (await elsewhere.send('/.well-known/oauth-authorization-server')).body;
    const client_id = publish({ redirect_uris: ['http://127.0.0.1/'] }, 'other.example');
    const request = { resource: auth.other.base_url, redirect_uri: 'http://127.0.0.1:8400/' };
    expect((await open(client_id, request, elsewhere)).status).toBe(400);
    expect(await metadata()).not.toHaveProperty('client_id_metadata_document_supported');
    await administration.open(auth.other.site_id, true);
    // A replica sees a changed site within five seconds.
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    expect(isAccepted(await open(client_id, request, elsewhere))).toBe(true);
    expect(await metadata()).toMatchObject({ client_id_metadata_document_supported: true });
  });

  it('is announced where the site allows a host', async () => {
    const { body } = await new Flow(auth).send('/.well-known/oauth-authorization-server');
    expect(body['client_id_metadata_document_supported']).toBe(true);
    expect(body['token_endpoint_auth_methods_supported']).toContain('none');
  });

  it.each([
    ['another client_id', { client_id: 'https://app.example/other.json' }],
    ['a secret method', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a foreign redirect URI', { redirect_uris: [REDIRECT, 'https://evil.example/'] }],
  ])('is refused with a page for %s', async (_name, document) => {
    const page = await open(publish(document));
    expect([page.status, page.url.origin]).toEqual([400, auth.site.base_url]);
    expect(page.body).toContain('invalid_client_metadata');
  });

  it('is sent only to what its document names', async () => {
    const page = await open(publish(), { redirect_uri: 'https://app.example/other' });
    expect([page.status, page.body.includes('invalid_redirect_uri')]).toEqual([400, true]);
  });

  it('is asked for once, also by many at the same time, and not again while it is fresh', async () => {
    const client_id = publish();
    const pages = await Promise.all(Array.from({ length: 8 }, () => open(client_id)));
    expect(pages.map(isAccepted)).toEqual(Array(8).fill(true));
    await open(client_id);
    expect(host.requests).toHaveLength(1);
  });

  it('is kept for as long as its host says, within limits, and then asked for again', async () => {
    const client_id = publish();
    const { pathname } = new URL(client_id);
    const body = JSON.stringify({ client_id, redirect_uris: [REDIRECT] });
    host.serve(pathname, (_request, response) =>
      response.writeHead(200, { 'cache-control': 'max-age=7200', etag: '"one"' }).end(body),
    );
    await open(client_id);
    expect(await stored(client_id)).toMatchObject({ lasts: 7200, etag: '"one"', name: 'app.example' });
    host.serve(pathname, (asked, response) =>
      response
        .writeHead(asked.headers['if-none-match'] === '"one"' ? 304 : 500, { 'cache-control': 'max-age=1' })
        .end(),
    );
    await outdate(client_id);
    expect(isAccepted(await open(client_id))).toBe(true);
    expect(await stored(client_id)).toMatchObject({ lasts: 300, etag: '"one"' });
  });

  it('is not asked for again within a minute of a failure', async () => {
    const client_id = publish({ redirect_uris: [] });
    await open(client_id);
    change(client_id, {});
    expect((await open(client_id)).status).toBe(400);
    expect(host.requests).toHaveLength(1);
  });

  it('goes on while its host is down, for a week and not longer', async () => {
    const [client_id, older, unknown] = [publish(), publish(), publish()];
    await open(client_id);
    await open(older);
    host.down(true);
    await outdate(client_id, '6 days 23 hours');
    await outdate(older, '7 days 1 second');
    expect(isAccepted(await open(client_id))).toBe(true);
    expect((await open(older)).status).toBe(400);
    expect((await open(unknown)).status).toBe(400);
  });

  it('ends when its host says that it is gone', async () => {
    const client_id = publish();
    await open(client_id);
    host.serve(new URL(client_id).pathname, (_request, response) => response.writeHead(410).end());
    await outdate(client_id);
    expect((await open(client_id)).status).toBe(400);
  });

  it('is refreshed, introspected and revoked without its host', async () => {
    const client_id = publish();
    const tokens = await tokensOf(client_id);
    host.down(true);
    await outdate(client_id, '30 days');
    host.requests.splice(0);
    const flow = new Flow(auth);
    const { status, body } = await flow.refresh(tokens.refresh_token, { client_id });
    expect(status).toBe(200);
    const access_token = String(body['access_token']);
    expect((await flow.introspect(access_token, { client_id })).body).toMatchObject({ active: true, client_id });
    expect((await flow.post('/api/oauth/revoke', { token: access_token, client_id })).status).toBe(200);
    expect(await flow.isActive(access_token)).toBe(false);
    expect(host.requests).toEqual([]);
  });

  it('may only read as long as nobody has looked at it', async () => {
    const client_id = publish();
    const refusal = async (scope: string) => (await open(client_id, { scope })).url.searchParams.get('error');
    expect(await refusal('courses:write')).toBe('invalid_scope');
    expect(await refusal('openid storage:write')).toBe('invalid_scope');
    expect(await refusal('openid account:read')).toBe('invalid_scope');
    expect(isAccepted(await open(client_id, { scope: `${IDENTITY_SCOPES.join(' ')} orders:read` }))).toBe(true);
    await administration.review(auth.site.site_id, client_id, 'approved');
    expect(isAccepted(await open(client_id, { scope: 'courses:write' }))).toBe(true);
    expect(await refusal('account:read')).toBe('invalid_scope');
    expect(await refusal('account:write')).toBe('invalid_scope');
  });

  it('says at consent that it is unverified, and where its name comes from', async () => {
    const client_id = publish({ client_name: 'Claude' });
    const flow = new Flow(auth);
    const page = await flow.signIn(await open(client_id, {}, flow), 'owner');
    expect(page.body).toContain('unverified');
    expect(page.body).toContain('<strong class="host">app.example</strong>');
    await administration.review(auth.site.site_id, client_id, 'approved');
    const later = await open(client_id, {}, flow);
    expect(later.body).not.toContain('unverified');
    expect(later.body).toContain('<strong class="host">app.example</strong>');
  });

  it.each([
    ['name', { client_name: 'A Bank' }],
    ['redirect URI', { redirect_uris: [REDIRECT, 'https://app.example/more'] }],
  ])(
    'is looked at and asked about anew when its %s changes, and the change is written down',
    async (_name, document) => {
      const client_id = publish();
      const flow = new Flow(auth);
      await flow.callback(request(client_id), 'owner');
      await administration.review(auth.site.site_id, client_id, 'approved');
      expect((await open(client_id, {}, flow)).url.origin).toBe('https://app.example');
      change(client_id, document);
      await outdate(client_id);
      const page = await open(client_id, {}, flow);
      expect(page.body).toContain('unverified');
      expect((await stored(client_id))?.review).toBe('unreviewed');
      const events = await auth.sql<{ event: string; details: object }>(
        `SELECT event, details FROM audit_log WHERE client_id = $1 AND event LIKE 'client.%' ORDER BY audit_id`,
        [client_id],
      );
      expect(events.map(({ event }) => event)).toEqual(['client.fetched', 'client.reviewed', 'client.changed']);
      expect(events[2]?.details).toMatchObject({ from: { review: 'approved' }, to: { review: 'unreviewed' } });
    },
  );

  it('keeps what people gave it before it changed, and gets no more of it', async () => {
    const client_id = publish();
    await open(client_id);
    await administration.review(auth.site.site_id, client_id, 'approved');
    const { refresh_token } = await tokensOf(client_id, { scope: 'courses:write' });
    change(client_id, { client_name: 'A Bank' });
    await outdate(client_id);
    expect((await open(client_id, { scope: 'courses:write' })).url.searchParams.get('error')).toBe('invalid_scope');
    const { status, body } = await new Flow(auth).refresh(refresh_token, { client_id });
    expect([status, body['scope']]).toEqual([200, 'courses:write']);
  });

  it('stays approved while nothing of it changes', async () => {
    const client_id = publish();
    await open(client_id);
    await administration.review(auth.site.site_id, client_id, 'approved');
    change(client_id, { client_uri: 'https://app.example/about' });
    await outdate(client_id);
    await open(client_id);
    expect((await stored(client_id))?.review).toBe('approved');
    expect(host.requests).toHaveLength(2);
  });

  it('ends with all its tokens when it is blocked, whatever it publishes afterwards', async () => {
    const client_id = publish();
    const { access_token, refresh_token } = await tokensOf(client_id);
    await administration.review(auth.site.site_id, client_id, 'blocked');
    const flow = new Flow(auth);
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.refresh(refresh_token, { client_id })).status).toBe(401);
    change(client_id, { client_name: 'Another App' });
    await outdate(client_id);
    host.requests.splice(0);
    expect((await open(client_id)).status).toBe(400);
    expect(host.requests).toEqual([]);
    await administration.review(auth.site.site_id, client_id, 'unreviewed');
    expect(isAccepted(await open(client_id))).toBe(true);
  });

  it('gives way to a client that the site has made with the same id', async () => {
    const client_id = publish();
    const { site_id: _site, ...seed } = auth.site;
    const scopes = ['openid', 'courses:write'];
    const client = { client_id, name: 'Ours', audience: 'operator' as const, redirect_uris: [REDIRECT], scopes };
    await auth.apply({ sites: [{ ...seed, people: [], clients: [client] }] });
    expect(isAccepted(await open(client_id, { scope: 'courses:write' }))).toBe(true);
    expect(host.requests).toEqual([]);
  });

  it('is another client at each site, which looks at it for itself', async () => {
    const client_id = publish();
    await open(client_id);
    const elsewhere = new Flow(auth, auth.other);
    expect(isAccepted(await open(client_id, { resource: auth.other.base_url }, elsewhere))).toBe(true);
    await administration.review(auth.other.site_id, client_id, 'approved');
    const reviews = await auth.sql<{ site_id: string; review: string }>(
      'SELECT site_id, review FROM clients WHERE client_id = $1',
      [client_id],
    );
    expect(reviews).toHaveLength(2);
    expect(reviews).toContainEqual({ site_id: auth.site.site_id, review: 'unreviewed' });
    expect(reviews).toContainEqual({ site_id: auth.other.site_id, review: 'approved' });
  });

  it('asks the person each time when anybody on the device could be it', async () => {
    const client_id = publish({ redirect_uris: ['http://127.0.0.1/'] });
    const more = { redirect_uri: 'http://127.0.0.1:8400/' };
    const flow = new Flow(auth);
    await flow.callback(request(client_id, more), 'owner');
    expect((await open(client_id, more, flow)).body).toContain('value="approve"');
  });

  it('costs a source no more than so many documents in a minute, and those that are known go on', async () => {
    const known = publish();
    await open(known);
    const statuses: number[] = [];
    // Twice the limit: a minute may end in between.
    for (let count = 0; count <= 2 * LIMITS.documents_by_source.hits; count += 1) {
      statuses.push((await open(publish())).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    await outdate(known);
    expect(isAccepted(await open(known))).toBe(true);
  });

  it('is listed for its site, those that wait for a review first', async () => {
    const [first] = await administration.list(auth.site.site_id);
    expect(first).toMatchObject({ review: 'unreviewed', fetched_at: expect.any(Date) });
    const reviews = (await administration.list(auth.site.site_id)).map(({ review }) => review);
    expect(reviews).toContain('approved');
    expect(reviews.lastIndexOf('unreviewed')).toBeLessThan(reviews.indexOf('approved'));
  });
});
