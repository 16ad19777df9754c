/**
 * Everything that this service assumes about the internals of oidc-provider: patched methods, private members, and the
 * order of its steps, none of which its documentation promises. engine.internals.spec.ts checks each assumption against
 * the installed release, so an upgrade that breaks one fails there. Deep imports of the package are not used.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { errors, interactionPolicy } from 'oidc-provider';
import type { AdapterPayload, Client, Grant, Interaction, KoaContextWithOIDC, Session } from 'oidc-provider';
import { INTERACTION_COOKIE } from '../browser-state/session-cookie.js';

type Context = KoaContextWithOIDC | undefined;

/** The members of stored payloads that our SQL reads or our code writes, by model. */
export const STORED_MEMBERS = {
  Session: ['uid', 'accountId', 'loginTs', 'amr'],
  Interaction: ['session', 'params', 'prompt', 'result', 'returnTo'],
  AuthorizationCode: ['grantId', 'accountId', 'redirectUri', 'codeChallenge', 'nonce', 'scope', 'authTime', 'claims'],
  Grant: ['accountId', 'clientId', 'openid', 'resources', 'rejected'],
} as const;

/** The current request of the engine; undefined outside of one. */
export function currentContext(): Context {
  return Provider.ctx;
}

/** The engine continues an authorization after an interaction. */
export function isResuming(ctx: Context): ctx is KoaContextWithOIDC {
  return ctx?.oidc.route === 'resume';
}

/**
 * The engine asks a client for the response mode before it looks at the response type. A type that does not exist is
 * named in the error (RFC 6749 §4.1.2.1), so any mode passes for it.
 */
export function checkResponseTypeFirst({ prototype }: { readonly prototype: Client }, known: readonly string[]): void {
  const allowed = prototype.responseModeAllowed;
  Object.assign(prototype, {
    responseModeAllowed(this: Client, ...args: Parameters<typeof allowed>): boolean {
      return !known.includes(args[1]) || allowed.apply(this, args);
    },
  });
}

/** The raw `scope` of the query: the engine drops unknown scopes from its own copy before it checks parameters. */
export function rawScope(ctx: KoaContextWithOIDC): string {
  const { scope } = ctx.query;
  return typeof scope === 'string' ? scope : '';
}

/** True when the request itself names a resource: the engine has already added the default to its own copy. */
export function namesResource(ctx: KoaContextWithOIDC): boolean {
  return Boolean(ctx.query['resource']);
}

/** The engine copies `error.scope` to the redirect, and the empty `scope=` with it, unless the member is undefined. */
export function missingScope(): Error {
  return Object.assign(new errors.InvalidScope('scope is required', ''), { scope: undefined });
}

/** The engine fails with 500 when the account of a session no longer exists. This check requires a sign-in instead. */
export function accountUnavailable(): interactionPolicy.Check {
  return new interactionPolicy.Check(
    'account_unavailable',
    'the account cannot be used',
    ({ oidc }) => Boolean(oidc.session?.accountId) && oidc.account === undefined,
  );
}

/**
 * The engine compares the subject of `id_token_hint` with the account of the session. Accounts are people here, and the
 * subject is the membership, so this check replaces the engine's own.
 */
export function hintOfAnotherSubject(): interactionPolicy.Check {
  return new interactionPolicy.Check(
    'id_token_hint',
    'id_token_hint and authenticated subject do not match',
    'login_required',
    ({ oidc }) =>
      oidc.entities.IdTokenHint !== undefined && oidc.entities.IdTokenHint.payload.sub !== oidc.account?.['sub'],
  );
}

/** The claims of an id_token that this deployment signed. Undefined for other texts. */
export type IdTokenReader = (token: string) => Promise<Record<string, unknown> | undefined>;

/**
 * The engine verifies `id_token_hint` by the keys that it publishes. A hint may be older: applications keep an id_token
 * for as long as a session, and keys leave the JWKS earlier.
 */
export function acceptOlderHints({ IdToken, issuer }: Provider, claimsOf: IdTokenReader): void {
  Object.assign(IdToken, {
    async validate(token: string, { clientId }: Client): Promise<{ readonly payload: object }> {
      const payload = await claimsOf(token);
      if (payload?.['iss'] === issuer && payload['aud'] === clientId) return { payload };
      throw new errors.InvalidRequest('could not validate id_token_hint');
    },
  });
}

/** A signed-in session in the engine's format. A save would drop members that its release does not know. */
export function sessionPayload(session: {
  readonly uid: string;
  readonly accountId: string;
  readonly amr: readonly string[];
  readonly iat: number;
  readonly exp: number;
}): AdapterPayload {
  return { kind: 'Session', loginTs: session.iat, ...session, amr: [...session.amr] };
}

/** The session of the request's cookie, outside of the engine's routes: `Session.get` needs only a context. */
export async function openSession(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const context = provider.createContext(request, response);
  return { context, session: await provider.Session.get(context) };
}

/** The id of the interaction in the signed cookie. */
export function interactionId(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): string | undefined {
  return provider.createContext(request, response).cookies.get(INTERACTION_COOKIE);
}

/** The interaction of a stored payload, as the engine makes it after it has read one. */
export function storedInteraction({ Interaction }: Provider, id: string, payload: AdapterPayload): Interaction {
  return Reflect.construct(Interaction, [id, payload]) as Interaction;
}

/** The engine refuses an interaction whose session has ended, or has another account. */
export function isOfSession({ session }: Pick<Interaction, 'session'>, accountId: string | undefined): boolean {
  return session?.uid === undefined || session.accountId === accountId;
}

/**
 * After a sign-in the engine refuses another session than that of the interaction. It sends the session of another
 * account to its own logout, which does not exist here.
 */
export function continuesWith(
  begun: Pick<Session, 'uid'>,
  current: Pick<Session, 'uid' | 'accountId'>,
  accountId: string,
): boolean {
  return begun.uid === current.uid && current.accountId === accountId;
}

/** The engine saves the existing session of an authorization request after it has saved the interaction. */
export function savesSessionLater(ctx: Context): ctx is KoaContextWithOIDC {
  return ctx?.oidc.route === 'authorization' && ctx.oidc.session?.accountId !== undefined;
}

/** The cookie of the session that was read. The engine renames a session after an interaction, before it saves it. */
export function cookieBeforeRename(ctx: Context): string | undefined {
  const { oldId } = (ctx?.oidc.session ?? {}) as Partial<Session> & { oldId?: string };
  return oldId;
}

/** A grant with our id and times. The engine would set them only in `save`, which also decides when it is stored. */
export function datedGrant(grant: Grant, jti: string, lifetime: number): AdapterPayload & { iat: number; exp: number } {
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + lifetime;
  Object.assign(grant, { jti, iat, exp });
  const { kind, accountId, clientId, openid, resources, rejected } = grant;
  return { kind, iat, exp, accountId, clientId, openid, resources, rejected };
}

/** The return URL and the session cookie would repeat secrets that are stored as digests: both are left out. */
export function withoutSecrets({ jti: _id, returnTo: _address, ...payload }: AdapterPayload): AdapterPayload {
  if (payload.session === undefined) return payload;
  const { cookie: _cookie, ...session } = payload.session;
  return { ...payload, session };
}

/** Restores the return URL from the id. The engine only compares accounts, so the cookie stays out. */
export function withSecrets(payload: AdapterPayload, id: string, authorizationUrl: string): AdapterPayload {
  return { ...payload, jti: id, returnTo: `${authorizationUrl}/${id}` };
}

/** The cookies of a response whose session is being saved: the engine adds their expiry after the save. */
export function datedCookies(
  lines: readonly string[],
  name: string,
  { exp, transient }: Pick<AdapterPayload, 'exp'> & { readonly transient?: unknown },
): string[] {
  if (exp === undefined || Boolean(transient)) return [...lines];
  const expiry = `; expires=${new Date(exp * 1000).toUTCString()}`;
  const isOfSession = (line: string): boolean => line.startsWith(`${name}=`) || line.startsWith(`${name}.sig=`);
  return lines.map((line) => (isOfSession(line) ? line + expiry : line));
}

const UNSAVED = 'session_was_not_saved';

interface ResponseContext {
  readonly state: Record<string, unknown>;
  readonly response: { get(name: string): string | string[]; set(name: string, value: string[]): void };
}

/** Marks the session as not saved: the browser keeps its cookie. */
export function leaveCookies(ctx: Context): void {
  if (ctx !== undefined) ctx.state[UNSAVED] = true;
}

/** The engine sets the cookie before it saves the session, so a failed save takes the cookie back. */
export function withdrawCookie({ state, response }: ResponseContext, name: string): void {
  if (state[UNSAVED] !== true) return;
  const lines = [response.get('set-cookie')].flat();
  response.set(
    'set-cookie',
    lines.filter((line) => !line.startsWith(`${name}=`) && !line.startsWith(`${name}.sig=`)),
  );
}
