import { say } from '@lyceum/messages';
import { isLoopbackHost } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { formBase } from '#src/pages/form-base.js';

/** The values of a client for which an approval is valid, as a hidden field. A document with others needs a new one. */
export function clientBase(client: Pick<OAuthClient, 'name' | 'source' | 'redirect_uris' | 'review'>): string {
  return formBase(client, client.source === 'document' ? ['name', 'redirect_uris', 'review'] : ['name']);
}

interface Destination {
  readonly text: string;
  /** A site on the web, and not an application on a device. */
  readonly isWeb: boolean;
}

/** The place of a redirect URI in words: the host on the web, or the device. */
export function destinationOf(uri: string): Destination {
  const url = URL.parse(uri);
  if (url === null) return { text: uri, isWeb: false };
  const { protocol, host, hostname } = url;
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { text: say('consent.place_device', { scheme: protocol.slice(0, -1) }), isWeb: false };
  }
  if (isLoopbackHost(hostname)) return { text: say('consent.place_computer'), isWeb: false };
  return { text: host, isWeb: true };
}

/**
 * True when the site has not reviewed the client, or nothing proves which program it is: any program of a device can
 * listen on loopback or register a scheme (RFC 8252 §8.6).
 */
export function isUnverified({ source, review }: Pick<OAuthClient, 'source' | 'review'>, redirectUri: string): boolean {
  if (source === 'document') return review !== 'approved';
  return source === 'loopback' || (source === 'platform' && !redirectUri.startsWith('https:'));
}
