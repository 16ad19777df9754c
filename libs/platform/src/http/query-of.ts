/** Returns the query of a URL without its first `?`. The query itself can contain `?` (RFC 3986 §3.4). */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
