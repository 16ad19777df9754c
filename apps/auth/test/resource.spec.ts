import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('The resource of a token (RFC 8707)', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  const errorOf = async (overrides: Record<string, string | null>): Promise<string | null> => {
    const page = await flow.browser.open(flow.authorizationUrl(overrides));
    return page.url.searchParams.get('error');
  };

  it.each([
    ['the base URL', ''],
    ['the base URL with the slash that URL parsers add', '/'],
    ['the URL of the tool endpoint', '/mcp'],
  ])('accepts %s, and binds the token to the base URL', async (_name, suffix) => {
    const resource = `${auth.site.base_url}${suffix}`;
    const { access_token } = await flow.tokens({ resource });
    const { body } = await flow.introspect(access_token);
    expect(body).toMatchObject({
      active: true,
      aud: auth.site.base_url,
      org_id: auth.site.org_id,
      audience: 'member',
    });
  });

  it('accepts one spelling at the authorization and another at the exchange', async () => {
    const callback = await flow.callback({ resource: auth.site.base_url });
    const { status } = await flow.exchange(callback.get('code'), { resource: `${auth.site.base_url}/mcp` });
    expect(status).toBe(200);
  });

  it.each([
    ['another site', () => auth.other.base_url],
    ['another path', () => `${auth.site.base_url}/member/graphql`],
    ['two slashes', () => `${auth.site.base_url}//`],
    ['a fragment', () => `${auth.site.base_url}#x`],
    ['what is no URL', () => 'school'],
  ])('refuses %s as resource at the authorization request', async (_name, resource) => {
    expect(await errorOf({ resource: resource() })).toBe('invalid_target');
  });

  it('refuses the right resource together with a wrong one', async () => {
    const url = `${flow.authorizationUrl()}&resource=${encodeURIComponent(auth.other.base_url)}`;
    const page = await flow.browser.open(url);
    expect(page.url.searchParams.get('error')).toBe('invalid_target');
  });

  it('requires a resource for member scopes at the authorization, also instead of an empty one', async () => {
    expect(await errorOf({ resource: null })).toBe('invalid_target');
    expect(await errorOf({ resource: '' })).toBe('invalid_target');
  });

  it('requires a resource for member scopes at the exchange', async () => {
    const callback = await flow.callback();
    const { status, body } = await flow.exchange(callback.get('code'), { resource: null });
    expect([status, body['error']]).toEqual([400, 'invalid_target']);
  });

  it('refuses a wrong resource at the exchange without using up the code', async () => {
    const code = (await flow.callback()).get('code');
    const wrong = await flow.exchange(code, { resource: auth.other.base_url });
    expect([wrong.status, wrong.body['error']]).toEqual([400, 'invalid_target']);
    const right = await flow.exchange(code);
    expect(right.status).toBe(200);
  });

  it('defaults the resource of an operator to the site', async () => {
    const operator = { client_id: 'first-operator', scope: 'courses:read', resource: null };
    const { access_token } = await new Flow(auth).tokens(operator, 'owner');
    const { body } = await flow.introspect(access_token);
    expect(body).toMatchObject({ active: true, aud: auth.site.base_url, audience: 'operator' });
  });

  it('keeps the resource of a refreshed token, and refuses another', async () => {
    const { refresh_token } = await flow.tokens();
    const swapped = await flow.refresh(refresh_token, { resource: auth.other.base_url });
    expect([swapped.status, swapped.body['error']]).toEqual([400, 'invalid_target']);
    const { status, body } = await flow.refresh(refresh_token);
    expect(status).toBe(200);
    const response = await flow.introspect(String(body['access_token']));
    expect(response.body).toMatchObject({ active: true, aud: auth.site.base_url });
  });

  it('refuses a token of one site at UserInfo of another', async () => {
    const { access_token } = await flow.tokens({}, 'both');
    const elsewhere = await new Flow(auth, auth.other).userInfo(access_token);
    expect([elsewhere.status, elsewhere.body['error']]).toEqual([401, 'invalid_token']);
  });
});
