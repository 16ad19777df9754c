import { isScope } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { say } from '@lyceum/messages';
import type { FormFaults } from '@lyceum/pages';
import type { OAuthClient } from '#src/clients/client.js';
import { refusedRedirectUris, refusedUris } from '#src/clients/redirect-uri.policy.js';
import { REGISTRATION_LIMITS } from '#src/registrations/registration.policy.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';

/** The purpose of an application. One for sign-in only confirms who a person is, and has no other permission. */
export const APPLICATION_KINDS = ['member', 'operator', 'identity'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

export const isApplicationKind = (value: unknown): value is ApplicationKind =>
  APPLICATION_KINDS.some((kind) => kind === value);

/** Everybody with a role may sign in. */
export const audienceOf = (kind: ApplicationKind): ClientAudience => (kind === 'operator' ? 'operator' : 'member');

/** The scopes that the form of a kind offers. */
export function scopesOfKind(kind: ApplicationKind): readonly Scope[] {
  return scopesOfAudience(audienceOf(kind)).filter((scope) => kind !== 'identity' || !scope.includes(':'));
}

/** True for an application that can only confirm who a person is. */
export const isIdentityOnly = ({ scopes }: Pick<OAuthClient, 'scopes'>): boolean =>
  scopes.every((scope) => !scope.includes(':'));

/** The fields of an application, as typed. */
export interface ApplicationFields {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly compatibility_mode: boolean;
}

/** Rejects control and formatting characters, because consent shows the name. */
const NAME = /^[^\p{C}]+$/u;

function nameFaults(name: string): string[] {
  const { nameLength } = REGISTRATION_LIMITS;
  if (name === '') return [say('application_fault.name')];
  if (name.length > nameLength) return [say('application_fault.name_length', { max: nameLength })];
  return NAME.test(name) ? [] : [say('application_fault.name_characters')];
}

/** Invisible characters as their code points, because they could change the order of the sentence. */
const shown = (uri: string): string =>
  uri.replaceAll(/[\p{Cc}\p{Cf}]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);

function uriFaults(uris: readonly string[], refusedOf: typeof refusedUris): string[] {
  const { redirectUris, redirectUriLength } = REGISTRATION_LIMITS;
  if (uris.length > redirectUris) return [say('application_fault.uri_count', { max: redirectUris })];
  const long = uris.filter((uri) => uri.length > redirectUriLength);
  return [
    ...long.map((uri) =>
      say('application_fault.uri_length', { uri: `${shown(uri.slice(0, 60))}…`, max: redirectUriLength }),
    ),
    ...refusedOf(uris.filter((uri) => !long.includes(uri))).map(({ uri, fault }) =>
      say(`redirect_uri.${fault}`, { uri: shown(uri) }),
    ),
  ];
}

function scopeFaults(scopes: readonly string[], kind: ApplicationKind): string[] {
  const offered: readonly string[] = scopesOfKind(kind);
  const foreign = scopes.filter((scope) => !offered.includes(scope));
  if (foreign.length > 0) return [say('application_fault.foreign_scope')];
  if (scopes.filter(isScope).length === 0) return [say('application_fault.no_scope')];
  if (kind === 'member' && !scopes.includes('account:read')) return [say('application_fault.no_account_read')];
  if (kind === 'identity' && !scopes.includes('openid')) return [say('application_fault.no_openid')];
  return [];
}

/** All faults of the fields, by field. */
export function applicationFaults(fields: ApplicationFields, kind: ApplicationKind): FormFaults {
  const { name, redirect_uris, post_logout_redirect_uris, scopes } = fields;
  const faults = {
    name: nameFaults(name),
    redirect_uris:
      redirect_uris.length === 0 ? [say('application_fault.no_uri')] : uriFaults(redirect_uris, refusedRedirectUris),
    scope: scopeFaults(scopes, kind),
    post_logout_redirect_uris: uriFaults(post_logout_redirect_uris, refusedUris),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0));
}
