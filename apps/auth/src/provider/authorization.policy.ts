import { isScope, splitScope } from '@lyceum/contracts';

/** MCP clients always send it; it means nothing here, where refresh tokens are always given. */
const IGNORED_SCOPES = new Set(['offline_access']);

/** Bytes. What an authorization request stores is kept until its time is over. auth.md shows them. */
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
  'id_token_hint',
  'request',
  'request_uri',
  'registration',
]);

/** Without what nothing uses, so that nothing else is stored. */
export function usedParameters(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => USED.has(name)));
}

/** Why a parameter is too long; undefined when it is not. */
export function tooLong(name: keyof typeof AUTHORIZATION_LIMITS, value: string | undefined): string | undefined {
  const most = AUTHORIZATION_LIMITS[name];
  return Buffer.byteLength(value ?? '') > most ? `${name} has at most ${most} bytes` : undefined;
}

/** The first unknown scope (RFC 6749 §3.3: `invalid_scope`; the engine would ignore it). */
export function unknownScope(scope: string): string | undefined {
  return splitScope(scope).find((part) => !isScope(part) && !IGNORED_SCOPES.has(part));
}
