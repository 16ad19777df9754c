import { isLoopbackHost } from '@lyceum/platform';

/** Host, port and rest of a loopback address, in the only accepted spelling of each (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(0|[1-9]\d{0,4}))?(\/.*)?$/;
/** Schemes that run code or leak data when a browser follows them. */
const DANGEROUS_SCHEMES = new Set(['javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:', 'mailto:', 'ftp:']);

export interface LoopbackOptions {
  readonly localhost: boolean;
}

function parsed(uri: string): URL | undefined {
  // Authorization compares the text byte by byte, so characters that a parser drops or escapes are refused.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || uri.includes('#')) return undefined;
  return URL.parse(uri) ?? undefined;
}

/**
 * RFC 8252 §7.3: `http`, a loopback address, any port, any path, no credentials. The spelling must be that of a URL
 * parser, because programs read other spellings (`127.0.0.1.`, `2130706433`) as other hosts.
 */
export function isLoopbackRedirect(uri: string, { localhost }: LoopbackOptions): boolean {
  const url = parsed(uri);
  const [, host, , rest = '/'] = LOOPBACK.exec(uri) ?? [];
  if (url === undefined || host === undefined) return false;
  return `${url.pathname}${url.search}` === rest && (localhost || host !== 'localhost');
}

export interface RedirectOptions {
  /** True to accept schemes without a dot, which have no owner. It is for URIs of our own list only. */
  readonly anyScheme: boolean;
}

export type RedirectUriFault = 'fragment' | 'form' | 'credentials' | 'http' | 'dangerous' | 'scheme' | 'https_loopback';

/**
 * Redirect URIs that an admin may enter: https, loopback, or an app's own scheme with a dot (RFC 8252 §7.1). Returns
 * what is wrong; undefined for an accepted one.
 */
export function redirectUriFault(
  uri: string,
  { anyScheme }: RedirectOptions = { anyScheme: false },
): RedirectUriFault | undefined {
  if (uri.includes('#')) return 'fragment';
  const url = parsed(uri);
  if (url === undefined) return 'form';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.protocol === 'https:') return url.hostname === '' ? 'form' : undefined;
  if (url.protocol === 'http:') return isLoopbackRedirect(uri, { localhost: true }) ? undefined : 'http';
  if (DANGEROUS_SCHEMES.has(url.protocol)) return 'dangerous';
  return anyScheme || url.protocol.includes('.') ? undefined : 'scheme';
}

/** Characters of a URI in a message. */
const SHOWN = 100;

export interface RefusedUri {
  /** Shortened for a message. */
  readonly uri: string;
  readonly fault: RedirectUriFault;
}

const refused = (uri: string, fault: RedirectUriFault): RefusedUri => ({
  fault,
  uri: uri.length > SHOWN ? `${uri.slice(0, SHOWN)}…` : uri,
});

/** The URIs that cannot be registered, each with its first fault. */
export function refusedUris(uris: readonly string[], options?: RedirectOptions): RefusedUri[] {
  return uris.flatMap((uri) => {
    const fault = redirectUriFault(uri, options);
    return fault === undefined ? [] : [refused(uri, fault)];
  });
}

/** The same for the redirect URIs of one client, which also have to fit together. */
export function refusedRedirectUris(uris: readonly string[], options?: RedirectOptions): RefusedUri[] {
  const accepted = uris.filter((uri) => redirectUriFault(uri, options) === undefined);
  const usable = usableRedirectUris(accepted);
  const unusable = accepted.filter((uri) => !usable.includes(uri));
  return [...refusedUris(uris, options), ...unusable.map((uri) => refused(uri, 'https_loopback'))];
}

const isHttps = (uri: string): boolean => URL.parse(uri)?.protocol === 'https:';
const isHttpsLoopback = (uri: string): boolean => isHttps(uri) && isLoopbackHost(URL.parse(uri)?.hostname ?? '');

/**
 * The redirect URIs that the engine accepts together: it refuses a native client that has an https URI on loopback, and
 * all its authorizations.
 */
export function usableRedirectUris(uris: readonly string[]): readonly string[] {
  return isNative(uris) ? uris.filter((uri) => !isHttpsLoopback(uri)) : uris;
}

/** A loopback address without its port. */
function withoutPort(uri: string): string | undefined {
  const url = isLoopbackRedirect(uri, { localhost: true }) ? URL.parse(uri) : null;
  return url === null ? undefined : Object.assign(url, { port: '' }).href;
}

/** True for a redirect URI that is among `allowed`. The port of a loopback address is free (RFC 8252 §7.3). */
export function allowsRedirect(allowed: readonly string[], uri: string): boolean {
  if (allowed.includes(uri)) return true;
  const local = withoutPort(uri);
  return local !== undefined && allowed.some((one) => withoutPort(one) === local);
}

/** Native clients use any port on loopback (RFC 8252 §7.3); all others must match exactly. */
export function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some((uri) => !isHttps(uri));
}
