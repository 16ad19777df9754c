import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { CALLBACK, SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Hold } from './hold.js';

const ANOTHER = 'http://127.0.0.1:7777/another';
const BROAD = ['openid', 'courses:read', 'courses:write'];
const SCOPE = { scope: BROAD.join(' ') };

let auth: TestAuth;
let made = 0;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

/** Applies the definition to a client of the site; the first call creates it. */
async function change(client_id: string, scopes: string[], redirect_uris = [CALLBACK]): Promise<void> {
  const { site_id: _, ...site } = auth.site;
  // Confidential: the approval of a public client on loopback is not remembered.
  const client_secret = SECRET;
  const client = { client_id, client_secret, name: 'A tool', audience: 'operator' as const, redirect_uris, scopes };
  await auth.apply({ sites: [{ ...site, people: [], clients: [client] }] });
}
async function client(): Promise<string> {
  const client_id = `changing-${(made += 1)}`;
  await change(client_id, BROAD);
  return client_id;
}
const begun = async (client_id: string, flow = new Flow(auth)): Promise<{ flow: Flow; page: Page }> => ({
  flow,
  page: await flow.browser.open(flow.authorizationUrl({ client_id, ...SCOPE })),
});
async function consentPage(client_id: string): Promise<{ flow: Flow; page: Page }> {
  const { flow, page } = await begun(client_id);
  return { flow, page: await flow.signIn(page, 'owner') };
}
const grants = async (client_id: string): Promise<number> =>
  (await auth.sql('SELECT 1 FROM grants WHERE client_id = $1', [client_id])).length;

describe('A client that loses scopes during an authorization', () => {
  it('refuses an approval of a scope that the client lost', async () => {
    const client_id = await client();
    const { flow, page } = await consentPage(client_id);
    await change(client_id, ['openid', 'courses:read']);
    const { status, url } = await flow.decide(page, 'approve');
    expect([status, url.origin, await grants(client_id)]).toEqual([400, auth.site.base_url, 0]);
  });

  it('refuses the code when the client lost a scope after the approval', async () => {
    const client_id = await client();
    const { flow, page } = await consentPage(client_id);
    const hold = await Hold.of(auth, 'LOCK TABLE authorization_codes IN EXCLUSIVE MODE');
    const approved = flow.decide(page, 'approve');
    await hold.waiting(1);
    const changed = change(client_id, ['openid', 'courses:read']);
    await hold.waiting(2);
    await hold.release();
    await changed;
    const code = (await approved).url.searchParams.get('code');
    expect(code === null || (await flow.exchange(code, { client_id, client_secret: SECRET })).status === 400).toBe(
      true,
    );
    expect(await grants(client_id)).toBe(0);
  });

  it('refuses a sign-in after the client lost a requested scope', async () => {
    const client_id = await client();
    const { flow, page } = await begun(client_id);
    await change(client_id, ['openid', 'courses:read']);
    const refused = (await flow.signIn(page, 'owner')).url.searchParams;
    expect([refused.get('error'), refused.get('state')]).toEqual(['invalid_scope', 'a-state']);
  });

  it('issues nothing by a remembered approval while the client changes', async () => {
    const client_id = await client();
    const { flow, page } = await consentPage(client_id);
    await flow.decide(page, 'approve');
    expect((await begun(client_id, flow)).page.url.searchParams.has('code')).toBe(true);
    const hold = await Hold.of(auth, 'SELECT 1 FROM grants WHERE client_id = $1 FOR UPDATE', [client_id]);
    const changed = change(client_id, ['openid', 'courses:read']);
    await hold.waiting(1);
    const authorization = begun(client_id, flow);
    await hold.waiting(2);
    await hold.release();
    await changed;
    expect((await authorization).page.url.searchParams.get('code')).toBeNull();
    expect(await grants(client_id)).toBe(0);
  });

  it('continues the authorization when the client keeps all requested scopes', async () => {
    const client_id = await client();
    const { flow, page } = await consentPage(client_id);
    await change(client_id, [...BROAD, 'orders:read'], [CALLBACK, ANOTHER]);
    const { searchParams } = (await flow.decide(page, 'approve')).url;
    expect((await flow.exchange(searchParams.get('code'), { client_id, client_secret: SECRET })).body['scope']).toBe(
      SCOPE.scope,
    );
  });

  it('refuses an approval while another replica changes the client', async () => {
    const client_id = await client();
    const { flow, page } = await consentPage(client_id);
    // The claim reads the row from before. The approval waits for the lock, and reads the new version.
    const rename = `UPDATE clients SET name = 'Another tool', version = version + 1 WHERE client_id = $1`;
    const hold = await Hold.of(auth, rename, [client_id]);
    const approved = flow.decide(page, 'approve');
    await hold.waiting(1);
    await hold.release();
    const { status, url } = await approved;
    expect([status, url.origin, await grants(client_id)]).toEqual([400, auth.site.base_url, 0]);
    expect((await begun(client_id, flow)).page.body).toContain('Another tool');
  });
});

describe('A removed redirect URI', () => {
  it('issues no code and redirects to no removed URI', async () => {
    const client_id = await client();
    const [{ flow, page }, waiting] = [await consentPage(client_id), await begun(client_id)];
    await change(client_id, BROAD, [ANOTHER]);
    for (const last of [await flow.decide(page, 'approve'), await waiting.flow.signIn(waiting.page, 'owner')]) {
      expect([last.status, last.url.origin]).toEqual([400, auth.site.base_url]);
      expect(last.body).toContain('invalid_redirect_uri');
    }
  });

  it('gets no denial', async () => {
    const client_id = await client();
    const [{ flow, page }, waiting] = [await consentPage(client_id), await begun(client_id)];
    await change(client_id, BROAD, [ANOTHER]);
    const cancel = postForms(waiting.page.body).find(({ action }) => action.endsWith('/cancel'))!;
    const canceled = await waiting.flow.browser.open(new URL(cancel.action, waiting.page.url), cancel.fields);
    for (const last of [await flow.decide(page, 'deny'), canceled]) {
      expect([last.status, last.url.origin]).toEqual([400, auth.site.base_url]);
    }
  });
});
