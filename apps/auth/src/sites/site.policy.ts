/**
 * The canonical origin of a site: scheme and host in lower case, no default port, no path (RFC 6454 §6.2).
 * Undefined when the text is not an http(s) origin.
 */
export function canonicalOrigin(text: string): { base_url: string; host: string } | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const bare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return bare ? { base_url: url.origin, host: url.host } : undefined;
}
