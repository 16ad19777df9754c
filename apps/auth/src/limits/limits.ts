import { sourceOf } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';

/** Limits that all replicas share. auth.md shows them. */
export const LIMITS = {
  /** Each one that has to be answered by a person is kept until its time is over. */
  authorizations: { name: 'authorizations', hits: 600, windowSeconds: 60 },
  /** Of one source over all clients: anybody can register further ones. */
  authorizations_by_source: { name: 'authorizations_by_source', hits: 1200, windowSeconds: 60 },
  registration: { name: 'registration', hits: 20, windowSeconds: 60 },
  /** Of one site: a source with many networks has a limit of its own in each. */
  registration_by_site: { name: 'registration_by_site', hits: 2000, windowSeconds: 3600 },
  /** Client metadata documents that are fetched because of one source, and from one host. */
  documents_by_source: { name: 'documents_by_source', hits: 20, windowSeconds: 60 },
  documents_by_host: { name: 'documents_by_host', hits: 60, windowSeconds: 60 },
  /**
   * Failed sign-ins of one source at one site, over all accounts: a few passwords are tried on many. Beyond it the accounts
   * that failed there wait, and beyond the second one all browsers that did not sign in to the account before.
   */
  failed_sign_ins: { name: 'failed_sign_ins', hits: 60, windowSeconds: 300 },
  failed_sign_ins_of_strangers: { name: 'failed_sign_ins_of_strangers', hits: 300, windowSeconds: 300 },
  /** Sign-in pages that ask for a passkey: each keeps a challenge. Beyond it they have the password only. */
  passkey_requests: { name: 'passkey_requests', hits: 600, windowSeconds: 60 },
  /** Links to set another password: mails to one person, and requests of one source at one site, as with sign-ins. */
  password_resets: { name: 'password_resets', hits: 5, windowSeconds: 3600 },
  password_resets_by_source: { name: 'password_resets_by_source', hits: 20, windowSeconds: 3600 },
  password_resets_of_strangers: { name: 'password_resets_of_strangers', hits: 100, windowSeconds: 3600 },
  /** Wrong secrets of one client from one source. */
  wrong_secrets: { name: 'wrong_secrets', hits: 20, windowSeconds: 60, unit: 'wrong client secrets' },
  /** Requests of one client from one source: a server of many people, or an office. */
  token_requests: { name: 'token_requests', hits: 600, windowSeconds: 60, unshared: 60 },
  revocations: { name: 'revocations', hits: 600, windowSeconds: 60, unshared: 60 },
  /** Requests with the codes and tokens of one grant, from all sources. Each success adds rows. */
  token_requests_of_grant: { name: 'token_requests_of_grant', hits: 60, windowSeconds: 60, unshared: 6 },
  /** Some proxies ask for each request that they pass on. */
  userinfo_requests: { name: 'userinfo_requests', hits: 600, windowSeconds: 60, unshared: 60 },
} as const satisfies Record<string, Limit>;

/** Who is counted for a wrong secret. */
export function secretGuesser(clientId: string, ip: string): string {
  return `${clientId}\n${sourceOf(ip)}`;
}

/** Who is counted for an authorization request. */
export function authorizer(clientKey: string, ip: string): string {
  return `${clientKey}\n${sourceOf(ip)}`;
}
