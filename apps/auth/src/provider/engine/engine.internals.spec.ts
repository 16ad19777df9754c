import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Provider from 'oidc-provider';
import { COOKIE, EngineRig, SUBJECT, locationOf } from '../../../test/engine-rig.js';
import {
  STORED_MEMBERS,
  continuesWith,
  datedGrant,
  isOfSession,
  openSession,
  sessionPayload,
  storedInteraction,
  withSecrets,
} from './engine.internals.js';

/** The interaction began without a session. */
function withoutSession(rig: EngineRig, response: Response): Response {
  const key = `Interaction:${locationOf(response).pathname.split('/').at(-1)}`;
  const { session: _session, ...payload } = rig.rows.get(key) ?? {};
  rig.rows.set(key, payload);
  return response;
}
const errorOf = (url: URL): (string | null)[] => ['error', 'scope'].map((name) => url.searchParams.get(name));

describe('Internals of oidc-provider', () => {
  let rig: EngineRig;
  beforeEach(async () => {
    rig = await new EngineRig().start();
  });
  afterEach(() => rig.stop());

  it('checks the response mode of the client before the response type', async () => {
    const refused = async (changes: Record<string, string>) => errorOf(locationOf(await rig.authorize(changes)))[0];
    expect(await refused({ response_type: 'nonsense' })).toBe('unsupported_response_type');
    // The engine returns the error of an unknown mode in that mode.
    const { hash } = locationOf(await rig.authorize({ response_mode: 'fragment' }));
    expect(hash).toContain('response_mode+is+not+allowed');
    const plain = new Provider('http://localhost', { features: { devInteractions: { enabled: false } } });
    expect(plain.Client.prototype.responseModeAllowed).toHaveLength(3);
  });

  it('keeps the raw query while it drops unknown scopes and adds the default resource', async () => {
    expect(errorOf(locationOf(await rig.authorize({ scope: 'openid courses:delete' })))).toEqual([
      'invalid_scope',
      'courses:delete',
    ]);
    const unnamed = await rig.authorize({ scope: 'openid account:read' });
    expect(errorOf(locationOf(unnamed))).toEqual(['invalid_target', null]);
    const named = await rig.authorize({ scope: 'openid account:read', resource: rig.origin });
    expect(locationOf(named).pathname).toMatch(/^\/oauth\/interaction\//);
  });

  it('leaves the scope out of the redirect when the member of the error is undefined', async () => {
    const location = locationOf(await rig.authorize({ scope: undefined, nonce: undefined }));
    expect(errorOf(location)).toEqual(['invalid_scope', null]);
  });

  it('stores the members that our SQL reads and our rows contain', async () => {
    await rig.toCode();
    for (const [model, members] of Object.entries(STORED_MEMBERS))
      expect(rig.membersOf(model)).toEqual(expect.arrayContaining([...members]));
    expect(rig.last('AuthorizationCode', 'upsert')?.payload).toMatchObject({
      grantId: 'grant',
      accountId: 'person',
      nonce: 'nonce',
      scope: 'openid courses:read',
      redirectUri: expect.any(String),
      codeChallenge: expect.any(String),
    });
  });

  it('saves a renamed session under its new name after it destroys the old one', async () => {
    await rig.toCode();
    const upserts = rig.calls.filter(({ model, method }) => model === 'Session' && method === 'upsert');
    const renamed = upserts.at(-1);
    expect(renamed?.payload?.['before']).toBe(upserts.at(-2)?.id);
    expect(renamed?.id).toBe(rig.cookies.get(COOKIE));
    const ofOldName = rig.calls.filter(({ id, method }) => id === upserts.at(-2)?.id && method !== 'find');
    expect(ofOldName.map(({ method }) => method)).toEqual(['upsert', 'destroy while resuming']);
  });

  it('takes the time of a sign-in from its result, and from a later result that repeats it', async () => {
    const login = { accountId: 'person', ts: Math.floor(Date.now() / 1000) - 600 };
    await rig.resume(await rig.resume(await rig.authorize(), { login }), { login });
    const saved = rig.calls.filter(({ model, method }) => model === 'Session' && method === 'upsert');
    expect(saved.map(({ payload }) => payload?.loginTs)).toEqual([login.ts, login.ts]);
  });

  it('sets the cookie before it saves, so that a failed save can take it back', async () => {
    const before = await rig.authorize();
    rig.dropSessions = true;
    const after = await rig.resume(before, { login: { accountId: 'person' } });
    expect(rig.last('Session', 'upsert')).toBeDefined();
    expect(after.headers.getSetCookie().filter((line) => line.startsWith(`${COOKIE}=`))).toEqual([]);
  });

  it('sends the cookies that it had set when it saved the session, with the expiry of the session', async () => {
    await rig.toCode();
    const response = await rig.resume(await rig.authorize({ prompt: 'login' }), { login: { accountId: 'person' } });
    const sent = response.headers.getSetCookie();
    expect(rig.last('Session', 'upsert')?.payload?.['cookies']).toEqual(sent);
    expect(sent.filter((line) => line.startsWith(`${COOKIE}=`))).toEqual([expect.stringContaining('; expires=')]);
  });

  it('resumes an interaction that was stored without its secrets, and destroys it then', async () => {
    await rig.toCode();
    const { payload, id } = rig.last('Interaction', 'upsert') ?? {};
    expect(payload?.returnTo).toBe(`${rig.origin}/oauth/authorize/${id}`);
    expect(rig.last('Interaction', 'destroy while resuming')?.id).toBe(id);
    expect((await rig.toCode()).searchParams.get('code')).toEqual(expect.any(String));
  });

  it('requires a sign-in when the account of a session no longer exists', async () => {
    await rig.toCode();
    rig.account = undefined;
    const response = await rig.authorize();
    expect(locationOf(response).pathname).toMatch(/^\/oauth\/interaction\//);
    expect(rig.last('Interaction', 'upsert')?.payload?.prompt?.reasons).toContain('account_unavailable');
  });

  it.each([
    ['accepts', 'the subject of the member', { sub: SUBJECT }, 'consent_required'],
    ['asks for a sign-in with', 'the subject of the person', { sub: 'person' }, 'login_required'],
    ['refuses', 'another issuer', { sub: SUBJECT, iss: 'https://other.example' }, 'invalid_request'],
    ['refuses', 'another client', { sub: SUBJECT, aud: 'other' }, 'invalid_request'],
  ])('%s an older id_token_hint of %s', async (_verb, _name, claims, error) => {
    await rig.toCode();
    const hinted = await rig.authorize({ id_token_hint: await rig.olderIdToken(claims), prompt: 'none' });
    expect(errorOf(locationOf(hinted))[0]).toBe(error);
  });

  it('reads a session that we wrote, outside of its routes', async () => {
    await rig.toCode();
    const { provider } = rig.engine;
    const [id] = [rig.cookies.get(COOKIE) ?? ''];
    const iat = Math.floor(Date.now() / 1000);
    const payload = sessionPayload({ uid: 'uid', accountId: 'person', amr: ['hwk'], iat, exp: iat + 60 });
    rig.rows.set(`Session:${id}`, payload);
    const request = Object.assign(new IncomingMessage(new Socket()), {
      headers: { cookie: [...rig.cookies].map(([name, value]) => `${name}=${value}`).join('; '), host: 'localhost' },
    });
    const { session } = await openSession(provider, request, new ServerResponse(request));
    expect(session).toMatchObject({ uid: 'uid', accountId: 'person', loginTs: iat, amr: ['hwk'], exp: iat + 60 });
  });

  it('saves the session of a signed-in person after the interaction of an authorization request', async () => {
    await rig.toCode();
    const before = rig.calls.length;
    await rig.authorize({ prompt: 'consent' });
    const saved = rig.calls.slice(before).filter(({ method }) => method === 'upsert');
    expect(saved.map(({ model, payload }) => [model, payload?.['later']])).toEqual([
      ['Interaction', true],
      ['Session', true],
    ]);
    await rig.resume(await rig.authorize({ prompt: 'login' }), { login: { accountId: 'person' } });
    expect(rig.last('Session', 'upsert')?.payload?.['later']).toBe(false);
  });

  it('makes the same interaction of a stored payload as the engine does', async () => {
    await rig.toCode();
    const uid =
      locationOf(await rig.authorize({ prompt: 'consent' }))
        .pathname.split('/')
        .at(-1) ?? '';
    const { provider } = rig.engine;
    const found = await provider.Interaction.find(uid);
    const payload = withSecrets(rig.rows.get(`Interaction:${uid}`) ?? {}, uid, `${rig.origin}/oauth/authorize`);
    const made = storedInteraction(provider, uid, payload);
    expect(made).toEqual(found);
    expect([made.uid, isOfSession(made, 'person'), isOfSession(made, 'other')]).toEqual([uid, true, false]);
    expect([isOfSession(made, undefined), isOfSession({ session: undefined }, undefined)]).toEqual([false, true]);
  });

  it('continues a sign-in only in the session of the interaction, or in none of another account', async () => {
    const login = { login: { accountId: 'person' } };
    const before = await rig.authorize();
    const own = await rig.resume(before, login);
    expect(locationOf(own).pathname).toMatch(/^\/oauth\/interaction\//);
    const session = { uid: 'uid', accountId: 'person' };
    expect(continuesWith(session, session, 'person')).toBe(true);
    expect(continuesWith(session, { uid: 'other', accountId: 'person' }, 'person')).toBe(false);
    expect(continuesWith(session, session, 'other')).toBe(false);

    const unbound = withoutSession(rig, await rig.authorize({ prompt: 'login' }));
    const ofOther = await rig.resume(unbound, { login: { accountId: 'other' } });
    expect([ofOther.status, (await ofOther.text()).includes('/session/end/confirm')]).toEqual([200, true]);

    const bound = await rig.authorize({ prompt: 'login' });
    rig.cookies.delete(COOKIE);
    expect((await rig.resume(bound, login)).status).toBe(400);
  });

  it('reads a grant that we dated and stored', async () => {
    const { Grant } = rig.engine.provider;
    const grant = new Grant({ accountId: 'person', clientId: 'client' });
    grant.addOIDCScope('openid');
    grant.addResourceScope(rig.origin, 'openid courses:read');
    grant.rejectOIDCScope('email');
    rig.rows.set('Grant:id', structuredClone(datedGrant(grant, 'id', 60)));
    const found = await Grant.find('id');
    expect(found?.getOIDCScope()).toBe('openid');
    expect(found?.getResourceScope(rig.origin)).toBe('openid courses:read');
    expect(found?.getRejectedOIDCScope()).toBe('email');
  });
});
