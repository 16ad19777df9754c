import { Actor, AS_OPERATOR, member, operator, otherSite, outcome, site, sourceIn } from './attack.js';

const base = site.base_url;
const actor = new Actor(sourceIn(11));
const FOREIGN = [
  otherSite.base_url,
  'https://evil.example',
  `${base}/evil`,
  `${base}/mcp/`,
  `${base}/mcp/../evil`,
  `${base}//`,
  `${base}?x=1`,
  `${base}#x`,
  base.replace('http:', 'https:'),
  base.toUpperCase(),
  base.replace('://', '://evil@'),
  `${base}.evil.example`,
  new URL(base).host,
  'urn:lyceum',
];

async function audienceOf(token: unknown, client_id = member.client_id): Promise<unknown> {
  const { body } = await actor.send('/api/oauth/introspect', { form: { token: String(token), client_id } });
  return body['aud'];
}

it.each([base, `${base}/`, `${base}/mcp`])(
  'accepts the resource %s and binds the token to the site',
  async (resource) => {
    const { access_token } = await actor.tokens({ resource });
    expect(await audienceOf(access_token)).toBe(base);
  },
);

it('refuses an authorization for another resource with invalid_target', async () => {
  for (const resource of FOREIGN)
    expect([resource, (await actor.callback({ resource })).get('error')]).toEqual([resource, 'invalid_target']);
  const both = await actor.browser.open(`${actor.authorization()}&resource=${encodeURIComponent(otherSite.base_url)}`);
  expect(both.url.searchParams.get('error')).toBe('invalid_target');
  expect((await actor.callback({ resource: null })).get('error')).toBe('invalid_target');
});

it('refuses a code for another resource without using it up', async () => {
  const code = await actor.code();
  for (const resource of FOREIGN)
    expect(outcome(await actor.exchange(code, { resource }))).toEqual([400, 'invalid_target']);
  const two = new URLSearchParams([
    ...Object.entries({ grant_type: 'authorization_code', code, redirect_uri: 'http://127.0.0.1:7777/callback' }),
    ['client_id', member.client_id],
    ['code_verifier', actor.verifier],
    ['resource', base],
    ['resource', otherSite.base_url],
  ]);
  expect(outcome(await actor.send('/api/oauth/token', { form: two }))).toEqual([400, 'invalid_target']);
  const { status, body } = await actor.exchange(code);
  expect([status, await audienceOf(body['access_token'])]).toEqual([200, base]);
});

it('refuses the code of a member token without the resource', async () => {
  expect(outcome(await actor.exchange(await actor.code(), { resource: null }))).toEqual([400, 'invalid_target']);
});

it('refuses a refresh token for another resource', async () => {
  const { refresh_token } = await actor.tokens();
  for (const resource of FOREIGN)
    expect(outcome(await actor.refresh(refresh_token, { resource }))).toEqual([400, 'invalid_target']);
  const { status, body } = await actor.refresh(refresh_token);
  expect([status, await audienceOf(body['access_token'])]).toEqual([200, base]);
});

it('binds an operator token to the site when the request names no resource', async () => {
  const owner = new Actor(sourceIn(11));
  const { access_token, refresh_token } = await owner.tokens(AS_OPERATOR, 'owner');
  expect(await audienceOf(access_token, operator.client_id)).toBe(base);
  const swapped = { client_id: operator.client_id, resource: otherSite.base_url };
  expect(outcome(await owner.refresh(refresh_token, swapped))).toEqual([400, 'invalid_target']);
});
