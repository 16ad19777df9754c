import { ownClient } from '../../stack/auth-command.js';
import { Actor, AS_OPERATOR, CALLBACK, operator, outcome, site, sourceIn, type Fields } from './attack.js';

const SOURCE = sourceIn(24);
const actor = new Actor(SOURCE);

describe('the scope of a request', () => {
  it('refuses a scope with state and iss on the redirect, so that the client can verify the response', async () => {
    const response = await actor.callback({ scope: 'nonsense' });
    expect(response.get('error')).toBe('invalid_scope');
    expect([response.get('state'), response.get('iss')]).toEqual(['the-state', site.base_url]);
  });

  it('returns no empty scope, which some clients reject (RFC 6749 §4.1.2.1)', async () => {
    const response = await actor.callback({ scope: null });
    expect([response.get('error'), response.has('scope')]).toEqual(['invalid_scope', false]);
  });

  it('refuses an unknown scope without the resource, too', async () => {
    const operators = { client_id: operator.client_id, resource: null };
    expect((await actor.callback({ ...operators, scope: 'openid everything' })).get('error')).toBe('invalid_scope');
  });

  it('refuses a scope of its audience that the client does not have', async () => {
    const few = { audience: 'operator', redirect_uri: CALLBACK, scope: 'openid courses:read' } as const;
    const { client_id } = await ownClient(site, few);
    const callback = (scope: string) => actor.callback({ client_id, resource: null, scope }, 'owner');
    expect((await callback('openid courses:read')).get('code')).toEqual(expect.any(String));
    expect((await callback('openid storage:write')).get('error')).toBe('invalid_scope');
  });
});

describe('the scope of tokens', () => {
  it.each<[string, Fields]>([
    ['', {}],
    [' with prompt=consent', { prompt: 'consent' }],
  ])('ignores offline_access, which MCP clients always send%s', async (_more, prompt) => {
    const request = { scope: 'openid account:read offline_access', ...prompt };
    const { scope, refresh_token } = await new Actor(SOURCE).tokens(request);
    expect(scope).toBe('openid account:read');
    expect(refresh_token).toMatch(/^[\w-]{43}$/);
  });

  it('ignores offline_access at a refresh, which some clients repeat', async () => {
    const owner = new Actor(SOURCE);
    const scope = 'openid account:read offline_access';
    const { refresh_token } = await owner.tokens({ scope });
    const { status, body } = await owner.refresh(refresh_token, { scope });
    expect([status, body['scope']]).toEqual([200, 'openid account:read']);
  });

  it('releases claims by scope, in UserInfo as in the id_token', async () => {
    const { access_token, id_token } = await new Actor(SOURCE).tokens({ scope: 'openid email' });
    const { body } = await actor.userInfo(access_token);
    expect(Object.keys(body).toSorted()).toEqual(['email', 'email_verified', 'org_id', 'roles', 'sub']);
    const payload = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(payload).toMatchObject(body);
    expect(payload).not.toHaveProperty('name');
  });

  it('issues no id_token, and refuses UserInfo, without openid', async () => {
    const { access_token, id_token } = await new Actor(SOURCE).tokens({ scope: 'account:read' });
    expect(id_token).toBeUndefined();
    const response = await actor.userInfo(access_token);
    expect(outcome(response)).toEqual([403, 'insufficient_scope']);
    expect(response.headers['www-authenticate']).toContain('scope="openid"');
  });

  it('narrows the scope at a refresh to one without openid', async () => {
    const owner = new Actor(SOURCE);
    const { refresh_token } = await owner.tokens(AS_OPERATOR, 'owner');
    const { body } = await owner.refresh(refresh_token, { client_id: operator.client_id, scope: 'courses:read' });
    expect(body['scope']).toBe('courses:read');
  });
});
