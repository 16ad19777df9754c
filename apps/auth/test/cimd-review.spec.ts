import { IDENTITY_SCOPES } from '@lyceum/contracts';
import { LIMITS } from '#src/limits/limits.js';
import { signedIn } from './admin-flow.js';
import { REDIRECT, startDocumentClients } from './document-clients.js';
import type { DocumentClients } from './document-clients.js';
import { Flow } from './flow.js';

describe('The review of a client by document', () => {
  let cimd: DocumentClients;

  beforeAll(async () => {
    cimd = await startDocumentClients();
  });
  beforeEach(() => cimd.reset());
  afterAll(() => cimd.stop());

  it('limits a client to reading before its review', async () => {
    const client_id = cimd.publish();
    const refusal = async (scope: string) => (await cimd.open(client_id, { scope })).url.searchParams.get('error');
    expect(await refusal('courses:write')).toBe('invalid_scope');
    expect(await refusal('openid storage:write')).toBe('invalid_scope');
    expect(await refusal('openid account:read')).toBe('invalid_scope');
    expect(cimd.isAccepted(await cimd.open(client_id, { scope: `${IDENTITY_SCOPES.join(' ')} orders:read` }))).toBe(
      true,
    );
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'approved');
    expect(cimd.isAccepted(await cimd.open(client_id, { scope: 'courses:write' }))).toBe(true);
    expect(await refusal('account:read')).toBe('invalid_scope');
    expect(await refusal('account:write')).toBe('invalid_scope');
  });

  it('shows at consent that a client is unverified, and the source of its name', async () => {
    const client_id = cimd.publish({ client_name: 'Claude' });
    const flow = new Flow(cimd.auth);
    const page = await flow.signIn(await cimd.open(client_id, {}, flow), 'owner');
    expect(page.body).toContain('Unverified');
    expect(page.body).toContain('<strong>app.example</strong>');
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'approved');
    const later = await cimd.open(client_id, {}, flow);
    expect(later.body).not.toContain('Unverified');
    expect(later.body).toContain('<strong>app.example</strong>');
  });

  it('refuses to approve a document that was published with other redirect URIs after the page was read', async () => {
    const client_id = cimd.publish({ client_name: 'A Reader' });
    await cimd.open(client_id);
    const [row] = await cimd.auth.sql<{ client_key: string }>('SELECT client_key FROM clients WHERE client_id = $1', [
      client_id,
    ]);
    const { flow, page } = await signedIn(cimd.auth, `/admin/clients/${row?.client_key}`);
    cimd.change(client_id, { client_name: 'A Reader', redirect_uris: [REDIRECT, 'https://app.example/taken'] });
    await cimd.outdate(client_id);
    await cimd.open(client_id);
    const refused = await flow.submit(page, 'review', { review: 'approved' });
    expect([refused.status, refused.body.includes('https://app.example/taken')]).toEqual([412, true]);
    expect((await cimd.stored(client_id))?.review).toBe('unreviewed');
  });

  it.each([
    ['name', { client_name: 'A Bank' }],
    ['redirect URI', { redirect_uris: [REDIRECT, 'https://app.example/more'] }],
  ])('requires a new review and consent when the %s changes, and audits the change', async (_name, document) => {
    const client_id = cimd.publish();
    const flow = new Flow(cimd.auth);
    await flow.callback(cimd.request(client_id), 'owner');
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'approved');
    expect((await cimd.open(client_id, {}, flow)).url.origin).toBe('https://app.example');
    cimd.change(client_id, document);
    await cimd.outdate(client_id);
    const page = await cimd.open(client_id, {}, flow);
    expect(page.body).toContain('Unverified');
    expect((await cimd.stored(client_id))?.review).toBe('unreviewed');
    const events = await cimd.auth.sql<{ event: string; details: object }>(
      `SELECT event, details FROM audit_log WHERE client_id = $1 AND event LIKE 'client.%' ORDER BY audit_id`,
      [client_id],
    );
    expect(events.map(({ event }) => event)).toEqual(['client.fetched', 'client.reviewed', 'client.changed']);
    expect(events[2]?.details).toMatchObject({ from: { review: 'approved' }, to: { review: 'unreviewed' } });
  });

  it.each([
    ['name', { client_name: 'A Bank' }],
    ['redirect URI', { redirect_uris: [REDIRECT, 'https://app.example/more'] }],
  ])('shows the consent page again when the %s changes while it is open', async (_name, document) => {
    const client_id = cimd.publish();
    await cimd.open(client_id);
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'approved');
    const flow = new Flow(cimd.auth);
    const page = await flow.signIn(await cimd.open(client_id, {}, flow), 'owner');
    expect(page.body).not.toContain('Unverified');
    cimd.change(client_id, document);
    await cimd.outdate(client_id);
    await cimd.open(client_id);
    const again = await flow.decide(page, 'approve');
    expect([again.status, again.url.origin]).toEqual([200, cimd.auth.site.base_url]);
    expect(again.body).toContain('Unverified');
    const approvals = 'SELECT 1 FROM consents JOIN clients USING (client_key) WHERE client_id = $1';
    expect(await cimd.auth.sql(approvals, [client_id])).toEqual([]);
    expect((await flow.decide(again, 'approve')).url.href).toContain(`${REDIRECT}?code=`);
    expect(await cimd.auth.sql(approvals, [client_id])).toHaveLength(1);
  });

  it('revokes the grants of a client when its document changes', async () => {
    const client_id = cimd.publish();
    await cimd.open(client_id);
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'approved');
    const { refresh_token } = await cimd.tokensOf(client_id, { scope: 'courses:write' });
    cimd.change(client_id, { client_name: 'A Bank' });
    await cimd.outdate(client_id);
    expect((await cimd.open(client_id, { scope: 'courses:write' })).url.searchParams.get('error')).toBe(
      'invalid_scope',
    );
    const { status, body } = await new Flow(cimd.auth).refresh(refresh_token, { client_id });
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('keeps an approval when neither the name nor a redirect URI changes', async () => {
    const client_id = cimd.publish();
    await cimd.open(client_id);
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'approved');
    cimd.change(client_id, { client_uri: 'https://app.example/about' });
    await cimd.outdate(client_id);
    await cimd.open(client_id);
    expect((await cimd.stored(client_id))?.review).toBe('approved');
    expect(cimd.host.requests).toHaveLength(2);
  });

  it('revokes all tokens of a blocked client, and keeps it blocked after a change of its document', async () => {
    const client_id = cimd.publish();
    const { access_token, refresh_token } = await cimd.tokensOf(client_id);
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'blocked');
    const flow = new Flow(cimd.auth);
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.refresh(refresh_token, { client_id })).status).toBe(401);
    cimd.change(client_id, { client_name: 'Another App' });
    await cimd.outdate(client_id);
    cimd.host.requests.splice(0);
    expect((await cimd.open(client_id)).status).toBe(400);
    expect(cimd.host.requests).toEqual([]);
    await cimd.administration.review(cimd.auth.site.site_id, client_id, 'unreviewed');
    expect(cimd.isAccepted(await cimd.open(client_id))).toBe(true);
  });

  it('prefers a client of the site to a document with the same id', async () => {
    const client_id = cimd.publish();
    const { site_id: _site, ...seed } = cimd.auth.site;
    const scopes = ['openid', 'courses:write'];
    const client = { client_id, name: 'Ours', audience: 'operator' as const, redirect_uris: [REDIRECT], scopes };
    await cimd.auth.apply({ sites: [{ ...seed, people: [], clients: [client] }] });
    expect(cimd.isAccepted(await cimd.open(client_id, { scope: 'courses:write' }))).toBe(true);
    expect(cimd.host.requests).toEqual([]);
  });

  it('reviews a client at each site separately', async () => {
    const client_id = cimd.publish();
    await cimd.open(client_id);
    const elsewhere = new Flow(cimd.auth, cimd.auth.other);
    await cimd.administration.open(cimd.auth.other.site_id, true);
    await cimd.untilAccepted(() => cimd.open(client_id, { resource: cimd.auth.other.base_url }, elsewhere));
    await cimd.administration.review(cimd.auth.other.site_id, client_id, 'approved');
    const reviews = await cimd.auth.sql<{ site_id: string; review: string }>(
      'SELECT site_id, review FROM clients WHERE client_id = $1',
      [client_id],
    );
    expect(reviews).toHaveLength(2);
    expect(reviews).toContainEqual({ site_id: cimd.auth.site.site_id, review: 'unreviewed' });
    expect(reviews).toContainEqual({ site_id: cimd.auth.other.site_id, review: 'approved' });
  });

  it('repeats the consent each time for a client that any program on the device can impersonate', async () => {
    const client_id = cimd.publish({ redirect_uris: ['http://127.0.0.1/'] });
    const more = { redirect_uri: 'http://127.0.0.1:8400/' };
    const flow = new Flow(cimd.auth);
    await flow.callback(cimd.request(client_id, more), 'owner');
    expect((await cimd.open(client_id, more, flow)).body).toContain('value="approve"');
  });

  it('limits document fetches of a source per minute, and serves known clients beyond the limit', async () => {
    const known = cimd.publish();
    await cimd.open(known);
    const statuses: number[] = [];
    // Twice the limit, because a minute may end in between.
    for (let count = 0; count <= 2 * LIMITS.documents_by_source.hits; count += 1) {
      statuses.push((await cimd.open(cimd.publish())).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    await cimd.outdate(known);
    expect(cimd.isAccepted(await cimd.open(known))).toBe(true);
  });

  it('lists the clients of a site, those that wait for a review first', async () => {
    const [first] = await cimd.administration.list(cimd.auth.site.site_id);
    expect(first).toMatchObject({ review: 'unreviewed', fetched_at: expect.any(Date) });
    const reviews = (await cimd.administration.list(cimd.auth.site.site_id)).map(({ review }) => review);
    expect(reviews).toContain('approved');
    expect(reviews.lastIndexOf('unreviewed')).toBeLessThan(reviews.indexOf('approved'));
  });
});
