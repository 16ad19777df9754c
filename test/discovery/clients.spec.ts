import { AS_OPERATOR, CALLBACK, member, operator, site, type ApiResponse } from '../security/oauth/attack.js';
import { fetched, METADATA } from './documents.js';
import { prove, type Proof } from './prove.js';
import { authorizationError, walker } from './walker.js';

const register = (json: object): Promise<ApiResponse> => walker().send('/api/oauth/register', { json });

/** A known platform: every registration returns the same public client with the platform's redirect URIs. */
const platform =
  (client_name: string): Proof =>
  async () => {
    const [one, another] = [await register({ client_name }), await register({ client_name })];
    expect([one.status, one.body['client_id']]).toEqual([201, another.body['client_id']]);
    expect([one.body['token_endpoint_auth_method'], 'client_secret' in one.body]).toEqual(['none', false]);
    const stolen = await register({ client_name, redirect_uris: ['https://thief.example/callback'] });
    expect(stolen.body['error']).toBe('invalid_redirect_uri');
  };

const PLATFORMS = ['Claude', 'ChatGPT', 'Cursor', 'VS Code', 'Replit'];

async function loopback(): Promise<void> {
  for (const origin of ['http://127.0.0.1:8400', 'http://[::1]:8400', 'http://localhost:8400']) {
    const { status, body } = await register({ client_name: 'Own tool', redirect_uris: [`${origin}/callback`] });
    expect([origin, status]).toEqual([origin, 201]);
    const other = `${origin.replace(':8400', ':9999')}/callback`;
    const request = { client_id: String(body['client_id']), redirect_uri: other, scope: 'openid courses:read' };
    expect([origin, await authorizationError(walker(), { ...request, resource: null })]).toEqual([origin, undefined]);
    expect(await authorizationError(walker(), { ...request, scope: 'openid account:read' })).toBe('invalid_scope');
  }
}

const scopeOf = async (client_id: string, scope: string, role: string): Promise<string[]> =>
  (await walker().tokens({ client_id, scope, resource: site.base_url }, role)).scope.split(' ').toSorted();

prove('clients', {
  ...Object.fromEntries(PLATFORMS.map((name) => [`registration_policy.platforms: ${name}`, platform(name)])),
  async 'registration_policy.loopback'(statement) {
    expect(statement).toBe('true');
    await loopback();
  },
  async 'auth.md Platforms by name'(statement) {
    expect(statement).toContain(`: ${PLATFORMS.join(', ')}.`);
    const unknown = await register({ client_name: 'Somebody else' });
    expect([unknown.status, unknown.body['error']]).toEqual([400, 'invalid_client_metadata']);
  },
  'auth.md Loopback clients': loopback,
  async 'auth.md Anything else'() {
    const redirect_uris = ['https://app.example/callback'];
    expect((await register({ redirect_uris })).body['error']).toBe('invalid_redirect_uri');
    expect((await register({})).body['error']).toBe('invalid_client_metadata');
    const scope = 'openid account:read';
    expect((await register({ redirect_uris: [CALLBACK], scope })).body['error']).toBe('invalid_scope');
  },
  async 'auth.md Client ID Metadata Document'(statement) {
    expect(statement).toContain('only from `claude.ai`, `claude.com`, `chatgpt.com`');
    const page = await walker().send(
      walker().authorization({ client_id: 'https://app.example/client', resource: null }),
    );
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_client')]);
    expect((await fetched(METADATA)).body['client_id_metadata_document_supported']).toBe(true);
  },
  async 'auth.md Member clients'() {
    const { body } = await register({ client_name: 'Own tool', redirect_uris: [CALLBACK] });
    const mine = { client_id: String(body['client_id']), scope: 'openid account:read' };
    expect(await authorizationError(walker(), mine)).toBe('invalid_scope');
    expect(await authorizationError(walker(), { client_id: member.client_id })).toBeUndefined();
  },
  async 'auth.md Registration policy of this site'() {
    const { body } = await fetched(METADATA);
    expect(body['registration_policy']).toEqual({ platforms: PLATFORMS, loopback: true });
  },

  async 'auth.md Operator'() {
    const scope = 'openid courses:read comments:read orders:read';
    expect(await scopeOf(operator.client_id, scope, 'owner')).toEqual(scope.split(' ').toSorted());
    expect(await scopeOf(operator.client_id, scope, 'admin')).toEqual(scope.split(' ').toSorted());
    // A lecturer can grant scopes of the role, a student none.
    expect(await scopeOf(operator.client_id, scope, 'lecturer')).toEqual(['comments:read', 'courses:read', 'openid']);
    const actor = walker();
    const page = await actor.signIn(await actor.browser.open(actor.authorization(AS_OPERATOR)), 'student');
    expect(page.body).toContain('You cannot allow');
  },
  async 'auth.md Member'() {
    const scope = 'account:read account:write';
    for (const role of ['owner', 'lecturer', 'student'])
      expect(await scopeOf(member.client_id, scope, role)).toEqual(scope.split(' '));
  },
});
