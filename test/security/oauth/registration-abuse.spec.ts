import { Actor, CALLBACK, outcome, sourceIn, type ApiResponse } from './attack.js';

const REGISTER = '/api/oauth/register';
const REDIRECTS = { redirect_uris: [CALLBACK] };
const own = 'https://claude.ai/api/mcp/auth_callback';
const EVIL = { redirect_uris: ['https://evil.example/callback'] };

/** Registrations are limited by source, so each test uses another source. */
let block = 0;
const register = (json: unknown, actor = new Actor(sourceIn(17 + (block++ % 2)))): Promise<ApiResponse> =>
  actor.send(REGISTER, { json });

it('registers a public client on loopback', async () => {
  const { status, body } = await register({ client_name: 'A tool', ...REDIRECTS });
  expect([status, body['token_endpoint_auth_method'], body['client_secret']]).toEqual([201, 'none', undefined]);
});

it.each([
  'Claude',
  'claude',
  'Cl\u0430ude',
  'Clаude',
  'ＣＬＡＵＤＥ',
  'Claude\u200b',
  ' Claude ',
  'ChatGPT',
  'Chat\u00adGPT',
  'Cursor ',
  'VS Code',
])('refuses the client name %j with a redirect URI of the attacker', async (client_name) => {
  const { status, body } = await register({ client_name, ...EVIL });
  expect(status).toBe(400);
  expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(body['error']);
  expect(body).not.toHaveProperty('client_id');
});

it.each([
  ['a right-to-left override', 'Cla\u202eedu'],
  ['a zero-width joiner', 'Cla\u200dude'],
  ['a line break', 'Claude\nverified'],
  ['a NUL', 'Claude\u0000'],
  ['half a surrogate', 'Claude\ud800'],
  ['a name that is only space', '   '],
  ['a name without an end', 'x'.repeat(121)],
])('refuses a client name with %s', async (_what, client_name) => {
  expect(outcome(await register({ client_name, ...REDIRECTS }))).toEqual([400, 'invalid_client_metadata']);
});

it('refuses the client name of a platform with a redirect URI that is not the platform’s', async () => {
  const honest = await register({ client_name: 'Claude', redirect_uris: [own] });
  expect([honest.status, honest.body['client_secret']]).toEqual([201, undefined]);
  for (const redirect_uris of [
    [own, ...EVIL.redirect_uris],
    [`${own}/..`],
    [own.replace('claude.ai', 'claude.ai.evil.example')],
  ])
    expect(outcome(await register({ client_name: 'Claude', redirect_uris }))).toEqual([400, 'invalid_redirect_uri']);
  for (const client_name of ['Claude', 'CIaude', 'Cl\u0430ude', 'claude.ai'])
    expect(outcome(await register({ client_name, ...REDIRECTS }))).toEqual([400, 'invalid_client_metadata']);
  expect((await register({ client_name: 'Claude Code', ...REDIRECTS })).status).toBe(201);
  // And the platform's client sends its codes to the platform alone.
  const actor = new Actor(sourceIn(17));
  const request = { client_id: String(honest.body['client_id']), scope: 'courses:read' };
  expect((await actor.send(actor.authorization({ ...request, redirect_uri: CALLBACK }))).status).toBe(400);
  expect((await actor.send(actor.authorization({ ...request, redirect_uri: own }))).status).toBe(303);
});

it('shows a look-alike name escaped, as unverified and from this device', async () => {
  const owner = new Actor(sourceIn(17));
  const { status, body } = await register({ client_name: 'Claude <b>verified</b>', ...REDIRECTS });
  expect(status).toBe(201);
  const request = { client_id: String(body['client_id']), scope: 'courses:read' };
  const page = await owner.signIn(await owner.browser.open(owner.authorization(request)), 'owner');
  expect(page.body).toContain('Unverified');
  expect(page.body).toContain('an app on this computer');
  expect(page.body).not.toContain('<b>verified');
});

it('ignores client_id, secret, audience, source and scopes in a registration', async () => {
  const requested = {
    client_id: 'harbour-member-app',
    client_secret: 'x',
    audience: 'member',
    source: 'operator',
    site_id: null,
  };
  const { body } = await register({ ...REDIRECTS, ...requested, token_endpoint_auth_method: 'client_secret_post' });
  expect(body['client_id']).not.toBe(requested.client_id);
  expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
  expect(body).not.toHaveProperty('client_secret');
  expect(String(body['scope'])).not.toContain('account');
  expect(outcome(await register({ ...REDIRECTS, scope: 'openid account:read' }))).toEqual([400, 'invalid_scope']);
});

it.each([
  ['a thousand addresses', { redirect_uris: Array(400).fill(CALLBACK) }, 400],
  ['an address without an end', { redirect_uris: [`${CALLBACK}?${'x'.repeat(2000)}`] }, 400],
  ['a body without an end', { ...REDIRECTS, software_statement: 'x'.repeat(40_000) }, 413],
  ['a name that is an object', { ...REDIRECTS, client_name: { toString: 'x' } }, 400],
  ['addresses that are objects', { redirect_uris: [{ href: CALLBACK }] }, 400],
  ['a list', [REDIRECTS], 400],
])('refuses %s', async (_what, json, status) => {
  const response = await register(json);
  expect([response.status, String(response.body['error']).startsWith('invalid_')]).toEqual([status, true]);
});

it('refuses unclosed brackets and prototype pollution', async () => {
  const actor = new Actor(sourceIn(18));
  const headers = { 'content-type': 'application/json' };
  for (const body of ['['.repeat(15_000), '{"__proto__":{"scope":"account:read"}}', '{"redirect_uris":', '\u0000'])
    expect((await actor.send(REGISTER, { body, headers })).status).toBe(400);
  expect((await register({ client_name: 'After', ...REDIRECTS })).status).toBe(201);
});
