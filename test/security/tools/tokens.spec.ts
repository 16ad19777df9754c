import { readFileSync } from 'node:fs';
import { eventually } from '@lyceum/testing';
import { clientOf, systemStack } from '../../stack/system-stack.js';
import { Actor } from '../oauth/attack.js';
import {
  ERAS,
  META,
  call,
  memberTokens,
  operatorToken,
  otherSite,
  post,
  send,
  site,
  sourceIn,
  wire,
} from './attack.js';
import { listenEverywhere } from './nats.js';

const WANTED = { kind: 'confidential', role: 'owner' } as const;
const list = (options: Parameters<typeof post>[1], args: object = {}) => call('my_courses', args, options);

let token: string;
let operator: string;
beforeAll(async () => {
  ({ access_token: token } = await memberTokens(undefined, WANTED));
  operator = await operatorToken('courses:read', { kind: 'confidential', role: 'lecturer' });
});

it('accepts the token in the Authorization header', async () => {
  expect((await list({ token })).status).toBe(200);
  expect((await list({ headers: { authorization: `bearer ${token}` } })).status).toBe(200);
});

describe('a token outside the Authorization header', () => {
  it.each<[string, () => ReturnType<typeof post>]>([
    ['the query', () => list({ path: `/mcp?access_token=${token}`, source: sourceIn(70) })],
    ['the query, by another name', () => list({ path: `/mcp?token=${token}&bearer=${token}`, source: sourceIn(70) })],
    ['a cookie', () => list({ headers: { cookie: `access_token=${token}; token=${token}` }, source: sourceIn(70) })],
    ['an argument', () => list({ source: sourceIn(70) }, { access_token: token, authorization: `Bearer ${token}` })],
    ...['x-access-token', 'x-authorization', 'proxy-authorization', 'mcp-session-id', 'x-api-key'].map(
      (name) =>
        [`the header ${name}`, () => list({ headers: { [name]: `Bearer ${token}` }, source: sourceIn(70) })] as [
          string,
          () => ReturnType<typeof post>,
        ],
    ),
  ])('does not authenticate (%s)', async (_where, request) => {
    const { status, result, headers } = await request();
    expect([status, result]).toEqual([401, undefined]);
    // The challenge of an anonymous caller, not of an invalid token.
    expect(headers['www-authenticate']).not.toContain('error=');
  });

  it.each(ERAS)('does not authenticate (_meta and beside the params, %s era)', async (era) => {
    const { body, headers } = wire(era, { id: 1, method: 'tools/call', params: { name: 'my_courses' } });
    const { params } = body as { params: { _meta?: object } };
    const _meta = { ...params._meta, authorization: `Bearer ${token}`, access_token: token };
    const hidden = { ...body, params: { ...params, _meta, authorization: token }, authorization: `Bearer ${token}` };
    expect((await post(hidden, { headers, source: sourceIn(70) })).status).toBe(401);
  });

  it('does not authenticate as a form (RFC 6750 §2.2)', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(`access_token=${token}`, { headers, source: sourceIn(70) })).status).toBe(415);
  });
});

describe('an Authorization header without one valid token', () => {
  it.each<[string, () => string | string[]]>([
    ['two tokens', () => [`Bearer ${token}`, `Bearer ${operator}`]],
    ['a token twice', () => [`Bearer ${token}`, `Bearer ${token}`]],
    ['two in one', () => `Bearer ${token}, Bearer ${operator}`],
    ['another scheme', () => `Token ${token}`],
    ['Basic', () => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`],
    ['no scheme', () => token],
    ['a quoted token', () => `Bearer "${token}"`],
    ['a letter more', () => `Bearer ${token}A`],
    ['a letter less', () => `Bearer ${token.slice(0, -1)}`],
    ['other case', () => `Bearer ${token.toUpperCase()}`],
    ['nothing', () => 'Bearer '],
    ['a word', () => 'Bearer null'],
    ['16 KB', () => `Bearer ${'a'.repeat(8_000)}`],
  ])('refuses the header for public tools, too (%s)', async (_what, authorization) => {
    for (const name of ['my_courses', 'browse_catalog']) {
      const { status, result } = await call(name, {}, { headers: { authorization: authorization() } });
      expect([400, 401]).toContain(status);
      expect(result).toBeUndefined();
    }
  });
});

it('refuses tokens of another site, in both directions', async () => {
  const { access_token: there } = await memberTokens(undefined, { ...WANTED, at: otherSite });
  expect((await list({ token: there, at: otherSite })).status).toBe(200);
  for (const options of [{ token: there }, { token, at: otherSite }]) {
    const { status, headers } = await list(options);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    const metadata = `${(options.at ?? site).base_url}/.well-known/oauth-protected-resource/mcp`;
    expect(headers['www-authenticate']).toContain(`resource_metadata="${metadata}"`);
  }
});

it('refuses refresh tokens and id_tokens', async () => {
  const { refresh_token, id_token } = await memberTokens(undefined, WANTED);
  for (const wrong of [refresh_token, id_token]) expect((await list({ token: wrong })).status).toBe(401);
});

it('refuses a revoked token and its refreshed successor', async () => {
  const { access_token, refresh_token } = await memberTokens(undefined, WANTED);
  expect((await list({ token: access_token })).status).toBe(200);
  const { client_id, client_secret = '' } = clientOf(site, 'member', 'confidential');
  const actor = new Actor(sourceIn(71));
  const form = { token: refresh_token, client_id, client_secret };
  expect((await actor.send('/api/oauth/revoke', { form })).status).toBe(200);
  await eventually(
    () => list({ token: access_token }),
    ({ status }) => status === 401,
  );
  expect((await actor.refresh(refresh_token, { client_id, client_secret })).body['error']).toBe('invalid_grant');
});

it('puts no token into messages between services or logs', async () => {
  const messages: string[] = [];
  const listeners = await listenEverywhere(({ subject, data, headers }) => {
    const sent = [...(headers ?? [])].flatMap(([name, values]) => [name, ...values]);
    messages.push([subject, Buffer.from(data).toString(), ...sent].join('\n'));
  });
  try {
    const both = { member: token, operator };
    for (const era of ERAS) {
      expect((await call('my_courses', {}, { token }, era)).status).toBe(200);
      expect((await call('list_courses', {}, { token: operator }, era)).status).toBe(200);
      expect((await call('whoami', {}, { token }, era)).status).toBe(200);
      await send(era, { method: 'prompts/get', params: { name: 'plan_my_study_week' } }, { token });
    }
    // Places where clients put it by mistake. Without a source, the request goes through the edge.
    await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } },
      { path: `/mcp?access_token=${token}` },
    );
    await post('{', { token });
    await call('nothing', {}, { token });
    await call('my_courses', {}, { headers: { authorization: `Token ${token}` } });
    await Promise.all(listeners.map((listener) => listener.flush()));
    const calls = messages.filter((message) => message.startsWith('tools.'));
    expect(calls.length).toBeGreaterThanOrEqual(6);
    for (const [whose, secret] of Object.entries(both)) {
      expect([whose, messages.filter((message) => message.includes(secret))]).toEqual([whose, []]);
      for (const { name, log_file } of systemStack().services) {
        const log = readFileSync(log_file, 'utf8');
        expect([name, log.length > 0, log.includes(secret)]).toEqual([name, true, false]);
      }
    }
  } finally {
    await Promise.all(listeners.map((listener) => listener.close()));
  }
});
