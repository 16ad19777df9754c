import { isScope, splitScope } from '@lyceum/contracts';
import { effectiveScopes } from '#src/scopes/ignored-scopes.policy.js';

/** Bytes. An authorization request is stored until it expires. auth.md shows the limits. */
export const AUTHORIZATION_LIMITS = { query: 4096, state: 1024, nonce: 256, login_hint: 254 } as const;

/** Parameters that the engine uses, or refuses by name. All others are dropped. */
const USED = new Set([
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'resource',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'ui_locales',
  'id_token_hint',
  'request',
  'request_uri',
  'registration',
]);

/**
 * Drops unused parameters, so that they are not stored. Only an id_token repeats a `nonce`, and libraries send one with
 * each request. The engine refuses it without `openid`.
 */
export function usedParameters(params: URLSearchParams): URLSearchParams {
  const signsIn = params.getAll('scope').some((scope) => splitScope(scope).includes('openid'));
  return new URLSearchParams([...params].filter(([name]) => USED.has(name) && (signsIn || name !== 'nonce')));
}

/** The error for a too long parameter; undefined when it fits. */
export function tooLong(name: keyof typeof AUTHORIZATION_LIMITS, value: string | undefined): string | undefined {
  const most = AUTHORIZATION_LIMITS[name];
  return Buffer.byteLength(value ?? '') > most ? `${name} has at most ${most} bytes` : undefined;
}

/** The first unknown scope (RFC 6749 §3.3: `invalid_scope`; the engine would ignore it). */
export function unknownScope(scope: string): string | undefined {
  return effectiveScopes(splitScope(scope)).find((part) => !isScope(part));
}

const SELECT_ACCOUNT = 'select_account';

/** True for one `prompt` that requests a choice of the account. A repeated one is left for the engine to refuse. */
export function selectsAccount(params: URLSearchParams): boolean {
  const [prompt = '', ...more] = params.getAll('prompt');
  return more.length === 0 && splitScope(prompt).includes(SELECT_ACCOUNT);
}

/** The request without the choice, or with another prompt in its place. */
export function withoutSelectAccount(params: URLSearchParams, instead?: 'login'): URLSearchParams {
  const rest = new URLSearchParams(params);
  if (!selectsAccount(params)) return rest;
  const prompts = splitScope(params.get('prompt') ?? '').map((one) => (one === SELECT_ACCOUNT ? instead : one));
  const left = [...new Set(prompts.filter((one) => one !== undefined))].join(' ');
  rest.delete('prompt');
  if (left !== '') rest.set('prompt', left);
  return rest;
}
