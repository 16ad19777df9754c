import { SCOPE_NAMES } from '@lyceum/contracts';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('The scope of a request', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  const refusal = async (overrides: Record<string, string | null>): Promise<URLSearchParams> => {
    const page = await flow.browser.open(flow.authorizationUrl(overrides));
    return page.url.searchParams;
  };

  it('requires a scope', async () => {
    expect((await refusal({ scope: null })).get('error')).toBe('invalid_scope');
    expect((await refusal({ scope: '' })).get('error')).toBe('invalid_scope');
    // RFC 6749 §4.1.2.1 has no empty scope; some clients reject the response because of it.
    expect((await refusal({ scope: null })).has('scope')).toBe(false);
  });

  it('refuses a request with an unknown scope, with or without the resource', async () => {
    expect((await refusal({ scope: 'openid account:delete' })).get('error')).toBe('invalid_scope');
    const operator = { client_id: 'first-operator', scope: 'openid everything', resource: null };
    expect((await refusal(operator)).get('error')).toBe('invalid_scope');
  });

  it('refuses a scope with state and iss on the redirect, so that the client can verify the response', async () => {
    const response = await refusal({ scope: 'nonsense' });
    expect(response.get('state')).toBe('a-state');
    expect(response.get('iss')).toBe(auth.site.base_url);
  });

  it('refuses a scope that the client does not have', async () => {
    expect((await refusal({ scope: 'courses:read' })).get('error')).toBe('invalid_scope');
    const operator = { client_id: 'first-operator', scope: 'openid account:read' };
    expect((await refusal(operator)).get('error')).toBe('invalid_scope');
    expect((await refusal({ client_id: 'first-operator', scope: 'storage:write' })).get('error')).toBe('invalid_scope');
  });

  it.each(['', ' prompt=consent'])('ignores offline_access, which MCP clients always send%s', async (extra) => {
    const prompt = extra === '' ? null : 'consent';
    const { scope, refresh_token } = await new Flow(auth).tokens({
      scope: 'openid account:read offline_access',
      prompt,
    });
    expect(scope).toBe('openid account:read');
    expect(refresh_token).toMatch(/^[\w-]{43}$/);
  });

  it('narrows the scope at a refresh, and never widens it', async () => {
    const { refresh_token } = await new Flow(auth).tokens({ scope: 'openid account:read' });
    const wider = await flow.refresh(refresh_token, { scope: 'openid account:read account:write' });
    expect([wider.status, wider.body['error']]).toEqual([400, 'invalid_scope']);
    const narrower = await flow.refresh(refresh_token, { scope: 'account:read' });
    expect(narrower.body['scope']).toBe('account:read');
  });

  it('releases claims by scope, in UserInfo as in the id_token', async () => {
    const { access_token, id_token } = await new Flow(auth).tokens({ scope: 'openid email' });
    const { body } = await flow.userInfo(access_token);
    expect(Object.keys(body).sort()).toEqual(['email', 'email_verified', 'org_id', 'roles', 'sub']);
    const payload = JSON.parse(Buffer.from(id_token?.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(payload).toMatchObject(body);
    expect(payload).not.toHaveProperty('name');
  });

  it('issues no id_token, and refuses UserInfo, without openid', async () => {
    const { access_token, id_token } = await new Flow(auth).tokens({ scope: 'account:read' });
    expect(id_token).toBeUndefined();
    const { status, headers, body } = await flow.userInfo(access_token);
    expect([status, body['error']]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toContain('scope="openid"');
  });

  it('lists all scopes in the metadata', async () => {
    const { body } = await flow.send('/.well-known/oauth-authorization-server');
    expect(body['scopes_supported']).toEqual([...SCOPE_NAMES]);
  });
});
