import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('What an anonymous authorization request may store', () => {
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
    const ask = (length: number) => flow.browser.open(flow.authorizationUrl({ [name]: 'x'.repeat(length) }));
    expect((await ask(most)).body).toContain('name="password"');
    const { url } = await ask(most + 1);
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
      ui_locales: 'en '.repeat(100),
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

  it('counts the requests of one source over all clients', async () => {
    await auth.sql('DELETE FROM rate_limits');
    const ask = (client_id: string, more: Record<string, string> = {}) =>
      flow.send(flow.authorizationUrl({ client_id, ...more }));
    const operator = { scope: 'courses:read' };
    await ask('first-member');
    await ask('first-member-server');
    // Counted twice: the source. Now it has come to its limit, in this window and in the next.
    await auth.sql('UPDATE rate_limits SET hits = 1200 WHERE hits = 2');
    await auth.sql(
      `INSERT INTO rate_limits (limit_key, window_start, hits)
       SELECT limit_key, window_start + interval '1 minute', hits FROM rate_limits ON CONFLICT DO NOTHING`,
    );
    const held = await ask('first-operator', operator);
    expect([held.status, Number(held.headers.get('retry-after')) > 0]).toEqual([429, true]);
    await auth.sql('UPDATE rate_limits SET hits = 1198 WHERE hits >= 1200');
    expect((await ask('first-operator', operator)).status).toBe(303);
  });
});
