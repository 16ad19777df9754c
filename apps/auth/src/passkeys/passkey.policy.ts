import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { isVisibleLine } from '@lyceum/platform';
import type { SiteRecord } from '#src/sites/site.js';

export const PASSKEY_LIMITS = {
  /** Limits per person and site. */
  perPerson: 10,
  nameLength: 60,
  /** Web Authentication Level 3 §7.1, step 26. */
  credentialIdBytes: 1023,
} as const;

/** COSE algorithms: Ed25519, ES256, RS256; every authenticator supports at least one of them. */
export const ALGORITHMS = [-8, -7, -257] as const;

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * The RP ID of a site is its host (§5.1.2). Undefined where browsers have no passkeys: an IP address is not an RP ID,
 * and without TLS only this machine is a secure context.
 */
export function relyingPartyId({ base_url }: Pick<SiteRecord, 'base_url'>): string | undefined {
  const { protocol, hostname } = new URL(base_url);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return !isAddress && (protocol === 'https:' || isLocal(hostname)) ? hostname : undefined;
}

/**
 * The user handle (§5.4.3): opaque, and the same for all passkeys of a person at a site. It differs per site; otherwise
 * a passkey of another site on the same host would replace this one's in an authenticator.
 */
export function userHandle(siteId: string, personId: string): Buffer {
  return hash('sha256', `passkey\n${siteId}\n${personId}`, 'buffer');
}

/** The normalized name; undefined when it is invalid. */
export function passkeyName(text: string): string | undefined {
  const name = text.replaceAll(/\s+/g, ' ').trim();
  return name === '' || name.length > PASSKEY_LIMITS.nameLength || !isVisibleLine(name) ? undefined : name;
}
