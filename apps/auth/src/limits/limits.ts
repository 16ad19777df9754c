import { sourceOf } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';
import { canonicalEmail } from '#src/people/email.policy.js';

/** Limits across all replicas. auth.md shows them. */
export const LIMITS = {
  /** Each registration is stored until a person decides or it expires. */
  authorizations: { name: 'authorizations', hits: 600, windowSeconds: 60 },
  /** Per source over all clients: any source can register more clients. */
  authorizations_by_source: { name: 'authorizations_by_source', hits: 1200, windowSeconds: 60 },
  registration: { name: 'registration', hits: 20, windowSeconds: 60 },
  /** Per site: a source with many networks has one limit per network. */
  registration_by_site: { name: 'registration_by_site', hits: 2000, windowSeconds: 3600 },
  /** Fetches of client metadata documents, per source and per host. */
  documents_by_source: { name: 'documents_by_source', hits: 20, windowSeconds: 60 },
  documents_by_host: { name: 'documents_by_host', hits: 60, windowSeconds: 60 },
  /**
   * Failed sign-ins of one source at one site, over all accounts: a few passwords are tried on many. Beyond the first
   * limit the failed accounts wait; beyond the second one all browsers wait that did not sign in to the account before.
   */
  failed_sign_ins: { name: 'failed_sign_ins', hits: 60, windowSeconds: 300 },
  failed_sign_ins_of_strangers: { name: 'failed_sign_ins_of_strangers', hits: 300, windowSeconds: 300 },
  /** Sign-in pages with a passkey request: each stores a challenge. Beyond the limit they offer the password only. */
  passkey_requests: { name: 'passkey_requests', hits: 600, windowSeconds: 60 },
  /** Password resets: mails to one person, and requests of one source at one site, as with sign-ins. */
  password_resets: { name: 'password_resets', hits: 5, windowSeconds: 3600 },
  password_resets_by_source: { name: 'password_resets_by_source', hits: 20, windowSeconds: 3600 },
  password_resets_of_strangers: { name: 'password_resets_of_strangers', hits: 100, windowSeconds: 3600 },
  /** Changes of the email address that one person requests, and those to one address: each sends a mail to it. */
  email_changes: { name: 'email_changes', hits: 5, windowSeconds: 3600 },
  email_changes_to_address: { name: 'email_changes_to_address', hits: 5, windowSeconds: 3600 },
  /** Downloads of the own data: each reads many tables of several services. */
  data_exports: { name: 'data_exports', hits: 5, windowSeconds: 3600 },
  /**
   * Links by email to create an account or sign in: mails to one address at one site, and requests of one source, as
   * with password resets. A class behind one source may create its accounts at one time.
   */
  email_links: { name: 'email_links', hits: 5, windowSeconds: 3600 },
  email_links_by_source: { name: 'email_links_by_source', hits: 100, windowSeconds: 3600 },
  email_links_of_strangers: { name: 'email_links_of_strangers', hits: 300, windowSeconds: 3600 },
  /** Invitations that operators send again, to one address at a site. */
  invitations: { name: 'invitations', hits: 3, windowSeconds: 3600, unit: 'invitations' },
  /** Welcome mails of new members and of corrected students, to one address at a site. Beyond it no mail is sent. */
  welcomes: { name: 'welcomes', hits: 3, windowSeconds: 3600 },
  /** Wrong secrets per client and source. */
  wrong_secrets: { name: 'wrong_secrets', hits: 20, windowSeconds: 60, unit: 'wrong client secrets' },
  /** Requests per client and source: a server of many people, or an office. */
  token_requests: { name: 'token_requests', hits: 600, windowSeconds: 60, unshared: 60 },
  revocations: { name: 'revocations', hits: 600, windowSeconds: 60, unshared: 60 },
  /** Without those of resource servers, which may introspect for each request that they get. */
  introspections: { name: 'introspections', hits: 600, windowSeconds: 60, unshared: 60 },
  /** Requests with the codes and tokens of one grant, from all sources. Each success adds rows. */
  token_requests_of_grant: { name: 'token_requests_of_grant', hits: 60, windowSeconds: 60, unshared: 6 },
  /** Some proxies introspect for each request that they forward. */
  userinfo_requests: { name: 'userinfo_requests', hits: 600, windowSeconds: 60, unshared: 60 },
  /** Refused tokens per source: each costs a look-up. The browsers of a school share a source. */
  refused_tokens: { name: 'refused_tokens', hits: 600, windowSeconds: 60, unit: 'refused access tokens' },
} as const satisfies Record<string, Limit>;

/** The subject of the limit for wrong secrets. */
export function secretGuesser(clientId: string, ip: string): string {
  return `${clientId}\n${sourceOf(ip)}`;
}

/** The subject of the limits for mails. Not the person: a person who is removed and invited again is another one. */
export function recipient(siteId: string, email: string): string {
  return `${siteId}\n${canonicalEmail(email) ?? ''}`;
}

/** The subject of the limit for authorization requests. */
export function authorizer(clientKey: string, ip: string): string {
  return `${clientKey}\n${sourceOf(ip)}`;
}
