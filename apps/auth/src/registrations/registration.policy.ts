import { isScope, splitScope } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { isLoopbackRedirect } from '#src/clients/redirect-uri.policy.js';
import type { Platform } from '#src/platforms/platforms.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { looksLike } from './client-name.policy.js';

/** Limits of one registration. auth.md shows them. */
export const REGISTRATION_LIMITS = { nameLength: 120, redirectUris: 10, redirectUriLength: 1024 } as const;

/** The members that are read (RFC 7591 §2); others are ignored. */
export interface RegistrationRequest {
  readonly client_name: string | undefined;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly scope: string | undefined;
}

export type RegistrationDecision =
  | { readonly kind: 'platform'; readonly platform: Platform }
  | {
      readonly kind: 'loopback';
      readonly name: string;
      readonly redirect_uris: readonly string[];
      readonly post_logout_redirect_uris: readonly string[];
      readonly scopes: readonly Scope[];
    }
  | { readonly kind: 'refused'; readonly error: RegistrationError; readonly description: string };

export type RegistrationError = 'invalid_redirect_uri' | 'invalid_client_metadata' | 'invalid_scope';

const UNNAMED = 'An application on your device';

const refused = (error: RegistrationError, description: string): RegistrationDecision => ({
  kind: 'refused',
  error,
  description,
});

function platformOf(request: RegistrationRequest, platforms: readonly Platform[]): Platform | undefined {
  const called = request.client_name;
  // Compared byte by byte: a name that only looks alike (other scripts, other widths, other spaces) is another name.
  const platform = platforms.find(({ name, aliases }) => [name, ...aliases].some((one) => one === called));
  const itsOwn = platform && request.redirect_uris.every((uri) => platform.redirect_uris.includes(uri));
  return itsOwn ? platform : undefined;
}

/**
 * All operator and identity scopes; undefined when an account scope is requested. The requested scopes are not a limit:
 * the MCP SDK registers with those of its first challenge and needs more with that client later (RFC 7591 §3.2.1 lets
 * the server replace them). Consent decides about the scopes.
 */
function registeredScopes(scope: string | undefined): readonly Scope[] | undefined {
  const open = scopesOfAudience('operator');
  const wanted = splitScope(scope ?? '').filter(isScope);
  return wanted.every((one) => open.includes(one)) ? open : undefined;
}

/** The platform or site that the name imitates. */
function borrowedName(name: string | undefined, platforms: readonly Platform[], siteName: string): string | undefined {
  if (name === undefined) return undefined;
  const names = [...platforms.flatMap((platform) => [platform.name, ...platform.aliases]), siteName];
  return names.find((known) => looksLike(name, known));
}

/** How a program gets a client that cannot be registered. */
const ASK = 'an owner or admin of the site creates the application in its admin area, under OAuth applications';

/** The four steps of a registration, in order: platform by name, loopback, wrong redirect URI, unknown. */
export function decideRegistration(
  request: RegistrationRequest,
  platforms: readonly Platform[],
  { name: siteName, settings }: Pick<SiteRecord, 'name' | 'settings'>,
): RegistrationDecision {
  const scopes = registeredScopes(request.scope);
  if (scopes === undefined) {
    return refused(
      'invalid_scope',
      'account:read and account:write are for member clients, which a site operator creates',
    );
  }
  const platform = platformOf(request, platforms);
  if (platform !== undefined) return { kind: 'platform', platform };
  const { redirect_uris, post_logout_redirect_uris } = request;
  const options = { localhost: settings.localhost_registration };
  const uris = [...redirect_uris, ...post_logout_redirect_uris];
  const local = redirect_uris.length > 0 && uris.every((uri) => isLoopbackRedirect(uri, options));
  if (local && settings.loopback_registration) {
    const borrowed = borrowedName(request.client_name, platforms, siteName);
    if (borrowed !== undefined) {
      return refused('invalid_client_metadata', `client_name looks like ${borrowed}: choose a name of your own`);
    }
    return { kind: 'loopback', name: request.client_name ?? UNNAMED, redirect_uris, post_logout_redirect_uris, scopes };
  }
  if (redirect_uris.length > 0 && !local) {
    return refused(
      'invalid_redirect_uri',
      `only loopback redirect URIs (http://127.0.0.1:<port>/<path>) can be registered here; for another one ${ASK}`,
    );
  }
  return refused(
    'invalid_client_metadata',
    local
      ? `this site registers no loopback clients; ${ASK}`
      : 'client_name is not a known integration, and redirect_uris has no address such as http://127.0.0.1:<port>/<path>',
  );
}
