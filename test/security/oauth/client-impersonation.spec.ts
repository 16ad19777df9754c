import { clientOf } from '../../stack/system-stack.js';
import { Actor, member, memberServer, otherSite, outcome, site, sourceIn, type Fields } from './attack.js';

const victim = new Actor(sourceIn(16));
/** Guesses are counted by source, so each row uses another source. */
let rows = 0;
const guesser = (): Actor => new Actor(sourceIn(34 + (rows++ % 16)));
const { client_id } = memberServer;
const client_secret = memberServer.client_secret!;
const GRANT = { grant_type: 'refresh_token', refresh_token: 'nothing' } as const;
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const secretOf = (at: typeof site, audience: 'member' | 'operator'): string =>
  clientOf(at, audience, 'confidential').client_secret!;

it('authenticates the genuine client at every endpoint', async () => {
  expect(outcome(await victim.token({ ...GRANT, client_id, client_secret }))).toEqual([400, 'invalid_grant']);
  for (const path of ['/api/oauth/revoke', '/api/oauth/introspect'])
    expect((await victim.send(path, { form: { token: 'nothing', client_id, client_secret } })).status).toBe(200);
});

it.each<[string, Fields]>([
  ['no secret', {}],
  ['an empty secret', { client_secret: '' }],
  ['a wrong secret', { client_secret: 'wrong' }],
  ['the secret in another case', { client_secret: client_secret.toUpperCase() }],
  ['the secret and a space', { client_secret: `${client_secret} ` }],
  ['the secret but its last letter', { client_secret: client_secret.slice(0, -1) }],
  ['the secret of another site’s client', { client_secret: secretOf(otherSite, 'member') }],
  ['the secret of this site’s other client', { client_secret: secretOf(site, 'operator') }],
  ['its own name for a secret', { client_secret: client_id }],
  ['a secret without an end', { client_secret: 'x'.repeat(12_000) }],
])('does not authenticate a confidential client with %s', async (_what, credentials) => {
  const stranger = guesser();
  for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect']) {
    const form = { ...GRANT, token: 'nothing', client_id, ...credentials };
    expect([path, ...outcome(await stranger.send(path, { form }))]).toEqual([path, 401, 'invalid_client']);
  }
});

it.each<[string, string, Fields, Record<string, string>]>([
  ['in the query', `?client_secret=${client_secret}`, { client_id }, {}],
  ['in the query, with the name', `?client_id=${client_id}&client_secret=${client_secret}`, {}, {}],
  ['in the Authorization header', '', {}, { authorization: basic(client_id, client_secret) }],
  ['in both header and form', '', { client_id, client_secret }, { authorization: basic(client_id, client_secret) }],
  ['as a bearer token', '', { client_id }, { authorization: `Bearer ${client_secret}` }],
  ['as a signed assertion', '', { client_id, client_assertion_type: ASSERTION, client_assertion: 'e30.e30.e30' }, {}],
])('does not accept a secret %s', async (_where, query, form, headers) => {
  const stranger = guesser();
  for (const path of ['/api/oauth/token', '/api/oauth/revoke']) {
    const { status, body, text } = await stranger.send(`${path}${query}`, {
      form: { ...GRANT, token: 'x', ...form },
      headers,
    });
    expect([400, 401]).toContain(status);
    expect(['invalid_client', 'invalid_request']).toContain(body['error']);
    expect(text).not.toContain(client_secret);
  }
});

it('refuses a secret that is sent twice', async () => {
  const form = new URLSearchParams({ ...GRANT, client_id, client_secret });
  form.append('client_secret', client_secret);
  expect(outcome(await victim.send('/api/oauth/token', { form }))).toEqual([400, 'invalid_request']);
});

it('refuses a public client with a secret, and never treats a public client as confidential', async () => {
  const request = { ...GRANT, client_id: member.client_id };
  expect(outcome(await victim.token({ ...request, client_secret: 'any' }))).toEqual([401, 'invalid_client']);
  const code = await victim.code({ client_id });
  const pretended = await victim.exchange(code, { client_id: member.client_id });
  expect(outcome(pretended)).toEqual([400, 'invalid_grant']);
});

it.each(['', ' ', 'HARBOUR-MEMBER-SERVER', `${client_id}\u0000`, `${client_id}' --`, 'a'.repeat(4000), '*', '%'])(
  'refuses the client_id %j at the authorization and token endpoints',
  async (name) => {
    const page = await victim.send(victim.authorization({ client_id: name }));
    expect([page.status, page.headers['location']]).toEqual([400, undefined]);
    const { status, body } = await victim.token({ ...GRANT, client_id: name, client_secret });
    expect([400, 401]).toContain(status);
    expect(['invalid_client', 'invalid_request']).toContain(body['error']);
  },
);
