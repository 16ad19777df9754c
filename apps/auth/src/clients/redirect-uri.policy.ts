/** Host, port, and the rest of a loopback address, in the one spelling of each (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(0|[1-9]\d{0,4}))?(\/.*)?$/;
/** Schemes that run or leak things when a browser is sent there. */
const DANGEROUS_SCHEMES = new Set(['javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:', 'mailto:', 'ftp:']);

export interface LoopbackOptions {
  readonly localhost: boolean;
}

function parsed(uri: string): URL | undefined {
  // The text is compared byte by byte at authorization, so characters that a parser drops or escapes are refused.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || uri.includes('#')) return undefined;
  return URL.parse(uri) ?? undefined;
}

/**
 * RFC 8252 §7.3: `http`, a loopback address, any port, any path, no credentials. Written as a parser would write it, because
 * programs read other spellings (`127.0.0.1.`, `2130706433`) as other hosts.
 */
export function isLoopbackRedirect(uri: string, { localhost }: LoopbackOptions): boolean {
  const url = parsed(uri);
  const [, host, , rest = '/'] = LOOPBACK.exec(uri) ?? [];
  if (url === undefined || host === undefined) return false;
  return `${url.pathname}${url.search}` === rest && (localhost || host !== 'localhost');
}

export interface RedirectOptions {
  /** Also schemes without a dot, which have no owner: only for addresses of our own list. */
  readonly anyScheme: boolean;
}

/** What a site operator may enter for a client: https, loopback, or an app's own scheme with a dot (RFC 8252 §7.1). */
export function isRedirectUri(uri: string, { anyScheme }: RedirectOptions = { anyScheme: false }): boolean {
  const url = parsed(uri);
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return url.hostname !== '';
  if (url.protocol === 'http:') return isLoopbackRedirect(uri, { localhost: true });
  return !DANGEROUS_SCHEMES.has(url.protocol) && (anyScheme || url.protocol.includes('.'));
}

/** The address without its port, when it is a loopback one. */
function withoutPort(uri: string): string | undefined {
  const url = isLoopbackRedirect(uri, { localhost: true }) ? URL.parse(uri) : null;
  return url === null ? undefined : Object.assign(url, { port: '' }).href;
}

/** Whether a browser may go there after a sign-out. The port of a loopback address is free, as at authorization. */
export function allowsPostLogout(
  { post_logout_redirect_uris }: { readonly post_logout_redirect_uris: readonly string[] },
  uri: string,
): boolean {
  if (post_logout_redirect_uris.includes(uri)) return true;
  const local = withoutPort(uri);
  return local !== undefined && post_logout_redirect_uris.some((one) => withoutPort(one) === local);
}

/** Native clients get any port on loopback (RFC 8252 §7.3); all others must match exactly. */
export function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some((uri) => !uri.startsWith('https:'));
}
