import type { AdapterPayload, InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import type { Authenticated, SignedIn } from '#src/people/authenticated.js';
import { isResuming } from './engine.internals.js';

type Login = NonNullable<InteractionResults['login']>;
type Context = KoaContextWithOIDC | undefined;

const SIGN_IN = 'fresh_sign_in';

/**
 * The result of a sign-in, stored until the authorization continues. Later results repeat it: without `ts` the engine
 * would take the time of the consent for that of the sign-in (OpenID Connect Core §2).
 */
export function loginOf({ person_id, sign_outs, amr, signed_in_at }: SignedIn): Login {
  const ts = signed_in_at ?? Math.floor(Date.now() / 1000);
  return { accountId: person_id, sign_outs, amr: [...amr], ts, remember: true };
}

/**
 * Continues the authorization after an interaction. Only the result of a sign-in or sign-up signs in: later results
 * repeat it.
 */
export function resumeSignIn(ctx: Context, { prompt, result }: AdapterPayload): void {
  const login: Login | undefined = result?.login;
  const signsIn = prompt?.name === 'login' || prompt?.name === 'create';
  if (!isResuming(ctx) || !signsIn || login === undefined) return;
  const { accountId: person_id, sign_outs } = login;
  if (typeof sign_outs === 'number') ctx.state[SIGN_IN] = { person_id, sign_outs } satisfies Authenticated;
}

/** The person who signs in with this request. */
export function freshSignIn(ctx: Context): Authenticated | undefined {
  return ctx?.state[SIGN_IN] as Authenticated | undefined;
}
