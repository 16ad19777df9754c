import { RateLimiter } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('The size of an anonymous authorization request', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  const stored = async () =>
    auth.sql<{ size: number; names: string[] }>(
      `SELECT length(payload::text) AS size, ARRAY(SELECT jsonb_object_keys(payload -> 'params')) AS names FROM interactions`,
    );

  it('accepts a query of 4096 bytes and refuses one of 4097 with a page', async () => {
    const ofLength = (length: number): string => {
      const url = flow.authorizationUrl({ padding: '' });
      const query = url.slice(url.indexOf('?') + 1);
      return `${url}${'x'.repeat(length - query.length)}`;
    };
    expect((await flow.send(ofLength(4096))).status).toBe(303);
    const before = await stored();
    const { status, headers, body } = await flow.send(ofLength(4097));
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(body['text']).toContain('4096 bytes');
    expect(await stored()).toHaveLength(before.length);
  });

  it.each([
    ['state', 1024],
    ['nonce', 256],
    ['login_hint', 254],
  ])('accepts a %s of %d bytes and refuses a longer one', async (name, most) => {
    const authorize = (length: number) => flow.browser.open(flow.authorizationUrl({ [name]: 'x'.repeat(length) }));
    expect((await authorize(most)).body).toContain('name="password"');
    const { url } = await authorize(most + 1);
    expect(url.searchParams.get('error')).toBe('invalid_request');
    expect(url.searchParams.get('error_description')).toContain(`${name} has at most ${most} bytes`);
    const wide = await flow.browser.open(flow.authorizationUrl({ [name]: 'ä'.repeat(most / 2 + 1) }));
    expect(wide.url.searchParams.get('error')).toBe('invalid_request');
  });

  it('stores only the parameters that are used', async () => {
    await auth.sql('DELETE FROM interactions');
    const unused = {
      acr_values: 'a'.repeat(500),
      display: 'page',
      // No page has this language.
      ui_locales: 'fr '.repeat(100),
      claims_locales: 'en',
      claims: '{"userinfo":{"email":null}}',
      web_message_uri: 'https://app.example',
      anything: 'x'.repeat(500),
    };
    expect((await flow.send(flow.authorizationUrl(unused))).status).toBe(303);
    const [row] = await stored();
    expect(row?.names).toContain('state');
    for (const name of Object.keys(unused)) expect(row?.names).not.toContain(name);
  });

  it('counts authorization requests of one source over all clients', async () => {
    await auth.resetLimits();
    const limit = LIMITS.authorizations_by_source;
    await auth.app.get(RateLimiter).take(limit, '127.0.0.1', limit.hits - 2);
    const authorize = (client_id: string, more: Record<string, string> = {}) =>
      flow.send(flow.authorizationUrl({ client_id, ...more }));
    expect((await authorize('first-member')).status).toBe(303);
    expect((await authorize('first-member-server')).status).toBe(303);
    const refused = await authorize('first-operator', { scope: 'courses:read' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});
