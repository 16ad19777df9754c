const PAGE = 'text/html';
/** Longer headers are no browser's. */
const LENGTH = 1_000;

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((part) => part.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}

/**
 * True for the request of a person: HTML is named, and no JSON is wanted more (RFC 9110 §12.5.1). A wildcard names
 * nothing: programs send it.
 */
export function wantsPage(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > LENGTH) return false;
  const ranges = accept.split(',').map(rangeOf);
  const page = ranges.find(({ type }) => type === PAGE)?.quality ?? 0;
  const json = ranges.filter(({ type }) => /^application\/(.+\+)?json$/.test(type)).map(({ quality }) => quality);
  return page > 0 && json.every((quality) => page > quality);
}
