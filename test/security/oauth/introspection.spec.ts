import { clientOf } from '../../stack/system-stack.js';
import {
  Actor,
  member,
  memberServer,
  operator,
  otherSite,
  outcome,
  rawHttp,
  site,
  sourceIn,
  type Fields,
} from './attack.js';

const PATH = '/api/oauth/introspect';
const actor = new Actor(sourceIn(23));
const introspect = (token: string, caller: Fields, headers: Record<string, string> = {}) =>
  actor.send(PATH, { form: { token, ...caller }, headers });
const PUBLIC = { client_id: member.client_id };
const SERVER = { client_id: memberServer.client_id, client_secret: memberServer.client_secret! };

let token: string;
beforeAll(async () => {
  ({ access_token: token } = await actor.tokens());
});

it('introspects a token for the client that owns it', async () => {
  const { status, headers, body } = await introspect(token, PUBLIC);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({ active: true, client_id: member.client_id, iss: site.base_url, aud: site.base_url });
});

it.each<[string, Fields]>([
  ['without a name', {}],
  ['with an empty name', { client_id: '' }],
  ['with an unknown client_id', { client_id: 'unknown' }],
  ['with the name of a resource server alone', { client_id: 'member-api' }],
  ['with the name of a resource server and an empty secret', { client_id: 'member-api', client_secret: '' }],
  ['with the name of a resource server and a wrong secret', { client_id: 'member-api', client_secret: 'member-api' }],
  ['with the name of a resource server and a client’s secret', { ...SERVER, client_id: 'mcp-gateway' }],
  ['with a secret alone', { client_secret: SERVER.client_secret }],
  ['with a confidential name alone', { client_id: memberServer.client_id }],
  ['with a confidential name and a wrong secret', { ...SERVER, client_secret: 'wrong' }],
  ['with a public name and a secret', { ...PUBLIC, client_secret: 'any' }],
  ['with a name of another site', { client_id: clientOf(otherSite, 'member', 'public').client_id }],
  ['with a name out of an object', { client_id: 'constructor' }],
])('refuses introspection to a caller %s', async (_who, caller) => {
  const [real, none] = [await introspect(token, caller), await introspect('no-such-token', caller)];
  expect(outcome(real)).toEqual([401, 'invalid_client']);
  expect(real.text).toBe(none.text);
});

it('returns inactive to another client, as for an unknown token (RFC 7662 §2.2)', async () => {
  const { refresh_token } = await actor.tokens();
  for (const caller of [SERVER, { client_id: operator.client_id }])
    for (const value of [token, refresh_token, 'no-such-token', 'x'.repeat(600), '%'])
      expect((await introspect(value, caller)).text).toBe('{"active":false}');
});

it('ignores the hint, and reads the token only from the body', async () => {
  const hinted = await introspect(token, { client_id: operator.client_id, token_type_hint: 'access_token' });
  expect(hinted.body).toEqual({ active: false });
  const query = await actor.send(`${PATH}?token=${token}&client_id=${member.client_id}`, { form: { x: 'y' } });
  expect(query.status).toBe(401);
  const header = `Basic ${Buffer.from(`${SERVER.client_id}:${SERVER.client_secret}`).toString('base64')}`;
  expect((await introspect(token, {}, { authorization: header })).status).toBe(401);
});

it('refuses a repeated token or client_id', async () => {
  for (const name of ['token', 'client_id']) {
    const form = new URLSearchParams({ token, ...PUBLIC });
    form.append(name, 'another');
    expect(outcome(await actor.send(PATH, { form }))).toEqual([400, 'invalid_request']);
  }
});

it('sends no CORS headers, and refuses GET', async () => {
  const { headers } = await introspect(token, PUBLIC, { origin: 'https://evil.example' });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  const host = new URL(site.base_url).host;
  const get = await rawHttp(site.base_url, `${PATH}?token=${token}&client_id=${member.client_id}`, {
    headers: { host },
  });
  expect([get.status, get.text.includes('"active"')]).toEqual([405, false]);
});
