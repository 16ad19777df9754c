import { ownClient } from '../../stack/auth-command.js';
import { Actor, AS_OPERATOR, operator, outcome, site, sourceIn, type Fields } from './attack.js';

const OPERATOR = { client_id: operator.client_id, resource: null } as const;
const actor = new Actor(sourceIn(10));
const scopesOf = (body: Readonly<Record<string, unknown>>): string[] => String(body['scope']).split(' ').toSorted();

describe('at the authorization', () => {
  it.each<[string, Fields]>([
    ['a member client that asks for operator scopes', { scope: 'openid account:read courses:write' }],
    ['an operator client that asks for account scopes', { ...OPERATOR, scope: 'openid courses:read account:read' }],
    ['a scope that does not exist', { scope: 'openid account:read admin' }],
    ['a wildcard', { scope: 'openid account:*' }],
    ['a scope in another case', { scope: 'openid ACCOUNT:READ' }],
    ['a scope that hides behind another separator', { scope: 'openid account:read,courses:write' }],
    ['no scope', { scope: null }],
    ['an empty scope', { scope: '' }],
  ])('returns invalid_scope for %s', async (_who, overrides) => {
    expect((await actor.callback(overrides)).get('error')).toBe('invalid_scope');
  });

  it('does not let a student authorize an operator client', async () => {
    const student = new Actor(sourceIn(10));
    const page = await student.signIn(await student.browser.open(student.authorization(AS_OPERATOR)));
    expect(page.body).not.toContain('value="approve"');
    const end = await student.submit(page, 'decision', { decision: 'approve' });
    expect(end.url.searchParams.get('code')).toBeNull();
  });

  it('grants only the scopes of the lecturer role', async () => {
    const lecturer = new Actor(sourceIn(10));
    const requested = { ...OPERATOR, scope: 'openid courses:read orders:read school:write' };
    const { scope, access_token } = await lecturer.tokens(requested, 'lecturer');
    expect(scope.split(' ').toSorted()).toEqual(['courses:read', 'openid']);
    expect(access_token).toEqual(expect.any(String));
  });

  it('asks again for more scopes, and ignores scopes added to the form', async () => {
    const owner = new Actor(sourceIn(10));
    let page = await owner.browser.open(owner.authorization({ ...AS_OPERATOR, prompt: 'consent' }));
    page = await owner.signIn(page, 'owner');
    const more = { decision: 'approve', scope: 'openid courses:read school:write', scopes: 'school:write' };
    const { searchParams } = (await owner.submit(page, 'decision', more)).url;
    const { body } = await owner.exchange(searchParams.get('code')!, OPERATOR);
    expect(scopesOf(body)).toEqual(['courses:read', 'openid']);
  });

  it('returns consent_required to prompt=none without an approval', async () => {
    const owner = new Actor(sourceIn(10));
    const all = 'openid courses:read courses:write';
    // prompt=none works for public clients on https only.
    const redirect_uri = 'https://app.example/callback';
    const client = await ownClient(site, { audience: 'operator', redirect_uri, scope: all });
    const own = { ...client, redirect_uri, resource: null };
    await owner.code({ ...own, scope: 'openid courses:read' }, 'owner');
    const silent = (scope: string) => owner.callback({ ...own, scope, prompt: 'none' });
    expect((await silent('openid courses:read')).get('code')).toEqual(expect.any(String));
    expect((await silent(all)).get('error')).toBe('consent_required');
  });
});

describe('at the token endpoint', () => {
  it('ignores a scope in the code exchange', async () => {
    const owner = new Actor(sourceIn(10));
    const code = await owner.code(AS_OPERATOR, 'owner');
    const response = await owner.exchange(code, { ...OPERATOR, scope: 'openid courses:read courses:write' });
    expect([response.status, scopesOf(response.body)]).toEqual([200, ['courses:read', 'openid']]);
  });

  it('grants the same or fewer scopes at a refresh (RFC 6749 §6)', async () => {
    const owner = new Actor(sourceIn(10));
    const { refresh_token } = await owner.tokens({ ...OPERATOR, scope: 'openid courses:read orders:read' }, 'owner');
    const refresh = (token: unknown, scope: string | null) =>
      owner.refresh(String(token), { client_id: operator.client_id, scope });
    for (const more of ['openid courses:read courses:write', 'account:read', 'openid courses:read orders:read admin'])
      expect(outcome(await refresh(refresh_token, more))).toEqual([400, 'invalid_scope']);
    const fewer = await refresh(refresh_token, 'openid courses:read');
    expect([fewer.status, scopesOf(fewer.body)]).toEqual([200, ['courses:read', 'openid']]);
    const all = await refresh(fewer.body['refresh_token'], null);
    expect(scopesOf(all.body)).toEqual(['courses:read', 'openid', 'orders:read']);
  });
});
