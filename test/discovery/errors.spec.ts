import {
  Actor,
  AS_OPERATOR,
  CALLBACK,
  member,
  memberServer,
  site,
  type ApiResponse,
} from '../security/oauth/attack.js';
import { ownClient } from '../stack/auth-command.js';
import { prove } from './prove.js';
import { authorizationError, newSource, walker } from './walker.js';

const refused = ({ status, body }: ApiResponse): unknown => ({
  status,
  error: body['error'],
  words: body['error_description'],
});
const error = (code: string, status = 400): unknown => ({ status, error: code, words: expect.stringMatching(/.{8}/) });

prove('errors', {
  async 'auth.md invalid_request'() {
    expect(refused(await walker().token({ client_id: AS_OPERATOR.client_id }))).toEqual(error('invalid_request'));
    const twice = new URLSearchParams('grant_type=refresh_token&client_id=x&client_id=y&refresh_token=z');
    expect(refused(await walker().send('/api/oauth/token', { form: twice }))).toEqual(error('invalid_request'));
    expect(await authorizationError(walker(), { code_challenge: null })).toBe('invalid_request');
  },
  async 'auth.md invalid_client'() {
    const unknown = await walker().refresh('x', { client_id: 'unknown' });
    expect(refused(unknown)).toEqual(error('invalid_client', 401));
    const wrong = await walker().refresh('x', { client_id: memberServer.client_id, client_secret: 'wrong' });
    expect(refused(wrong)).toEqual(error('invalid_client', 401));
    // People see a page, without a redirect.
    const page = await walker().send(walker().authorization({ client_id: 'unknown' }));
    expect([page.status, page.headers['location'], page.text]).toEqual([
      400,
      undefined,
      expect.stringContaining('invalid_client'),
    ]);
  },
  async 'auth.md invalid_grant'() {
    const actor = walker();
    const code = await actor.code();
    const { body } = await actor.exchange(code);
    const [unknown, used, foreign] = [
      await actor.exchange('unknown'),
      await actor.exchange(code),
      await walker().refresh(String(body['refresh_token']), { client_id: AS_OPERATOR.client_id }),
    ];
    for (const response of [unknown, used, foreign]) expect(refused(response)).toEqual(error('invalid_grant'));
  },
  async 'auth.md unsupported_grant_type'() {
    const response = await walker().token({ grant_type: 'something', client_id: AS_OPERATOR.client_id });
    expect(refused(response)).toEqual(error('unsupported_grant_type'));
  },
  async 'auth.md unsupported_response_type'() {
    expect(await authorizationError(walker(), { response_type: 'something' })).toBe('unsupported_response_type');
  },
  async 'auth.md unsupported_response_mode'() {
    for (const response_mode of ['fragment', 'form_post', 'web_message', 'query.jwt', 'jwt']) {
      const actor = walker();
      const { status, headers } = await actor.send(actor.authorization({ response_mode }));
      const { searchParams, hash } = new URL(headers['location'] ?? '');
      expect([response_mode, status, searchParams.get('error'), searchParams.get('state'), hash]).toEqual([
        response_mode,
        303,
        'unsupported_response_mode',
        'the-state',
        '',
      ]);
    }
  },
  async 'auth.md invalid_scope'() {
    expect(await authorizationError(walker(), { scope: 'openid something' })).toBe('invalid_scope');
    expect(await authorizationError(walker(), { scope: 'openid orders:read' })).toBe('invalid_scope');
    expect(await authorizationError(walker(), { scope: null })).toBe('invalid_scope');
  },
  async 'auth.md invalid_target'() {
    expect(await authorizationError(walker(), { resource: null })).toBe('invalid_target');
    expect(await authorizationError(walker(), { resource: 'https://other.example' })).toBe('invalid_target');
    const actor = walker();
    const code = await actor.code();
    expect(refused(await actor.exchange(code, { resource: 'https://other.example' }))).toEqual(error('invalid_target'));
  },
  async 'auth.md access_denied'() {
    const actor = walker();
    const page = await actor.browser.open(actor.authorization({ prompt: 'consent' }));
    const requested = await actor.signIn(page);
    const { url } = await actor.submit(requested, 'decision', { decision: 'deny' });
    expect([url.searchParams.get('error'), url.searchParams.get('state')]).toEqual(['access_denied', 'the-state']);
  },
  async 'auth.md login_required'() {
    expect(await authorizationError(walker(), { prompt: 'none' })).toBe('login_required');
  },
  async 'auth.md consent_required'() {
    const scope = 'openid courses:read';
    const client = await ownClient(site, { audience: 'operator', redirect_uri: CALLBACK, scope });
    const actor = walker();
    const requested = { ...client, scope, resource: null };
    await actor.signIn(await actor.browser.open(actor.authorization(requested)), 'admin');
    const { url } = await actor.browser.open(actor.authorization({ ...requested, prompt: 'none' }));
    expect(url.searchParams.get('error')).toBe('consent_required');
  },
  async 'auth.md invalid_redirect_uri'() {
    const json = { redirect_uris: ['https://app.example/callback'] };
    expect(refused(await walker().send('/api/oauth/register', { json }))).toEqual(error('invalid_redirect_uri'));
  },
  async 'auth.md invalid_client_metadata'() {
    const response = await walker().send('/api/oauth/register', { json: { client_name: 'Somebody' } });
    expect(refused(response)).toEqual(error('invalid_client_metadata'));
  },
  async 'auth.md unsupported_token_type'() {
    const actor = walker();
    const { id_token } = await actor.tokens();
    const form = { token: id_token, client_id: member.client_id };
    expect(refused(await actor.send('/api/oauth/revoke', { form }))).toEqual(error('unsupported_token_type'));
  },
  async 'auth.md temporarily_unavailable'() {
    const actor = new Actor(newSource());
    const register = (): Promise<ApiResponse> =>
      actor.send('/api/oauth/register', { json: { client_name: 'Somebody' } });
    // Twice the limit and one, because the minute may turn in between.
    const responses = await Promise.all(Array.from({ length: 41 }, register));
    const held = responses.find(({ status }) => status !== 400)!;
    expect(refused(held)).toEqual(error('temporarily_unavailable', 429));
    expect(Number(held.headers['retry-after'])).toBeGreaterThan(0);
  },
});
