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
  /** Also accepts schemes without a dot, which have no owner: only for URIs of our own list. */
  readonly anyScheme: boolean;
}

/** Redirect URIs that an admin may enter: https, loopback, or an app's own scheme with a dot (RFC 8252 §7.1). */
export function isRedirectUri(uri: string, { anyScheme }: RedirectOptions = { anyScheme: false }): boolean {
  const url = parsed(uri);
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return url.hostname !== '';
  if (url.protocol === 'http:') return isLoopbackRedirect(uri, { localhost: true });
  return !DANGEROUS_SCHEMES.has(url.protocol) && (anyScheme || url.protocol.includes('.'));
}

/** A loopback address without its port. */
function withoutPort(uri: string): string | undefined {
  const url = isLoopbackRedirect(uri, { localhost: true }) ? URL.parse(uri) : null;
  return url === null ? undefined : Object.assign(url, { port: '' }).href;
}

/** True for an allowed redirect URI after a logout. The port of a loopback address is free, as at authorization. */
export function allowsPostLogout(
  { post_logout_redirect_uris }: { readonly post_logout_redirect_uris: readonly string[] },
  uri: string,
): boolean {
  if (post_logout_redirect_uris.includes(uri)) return true;
  const local = withoutPort(uri);
  return local !== undefined && post_logout_redirect_uris.some((one) => withoutPort(one) === local);
}

/** Native clients use any port on loopback (RFC 8252 §7.3); all others must match exactly. */
export function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some((uri) => !uri.startsWith('https:'));
}
