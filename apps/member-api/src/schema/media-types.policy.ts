/** Media types of GraphQL over HTTP (the GraphQL Foundation's draft, "Media Types"). */
export const JSON_TYPE = 'application/json';
export const RESPONSE_TYPE = 'application/graphql-response+json';

export type ResponseType = typeof JSON_TYPE | typeof RESPONSE_TYPE;

/** Accepts JSON in UTF-8 only (RFC 8259 §8.1): a page of another site can send other types without a preflight. */
export function isJsonBody(contentType: string | undefined): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return type === JSON_TYPE && parameters.every((part) => part === '' || /^charset="?utf-8"?$/.test(part));
}

/** The response type for an Accept header (RFC 9110 §12.5.1); undefined when neither type is acceptable. */
export function responseType(accept: string | undefined): ResponseType | undefined {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return JSON_TYPE;
  const ranges = accept.split(',').map(readRange);
  const json = qualityOf(JSON_TYPE, ranges);
  const response = qualityOf(RESPONSE_TYPE, ranges);
  if (json === 0 && response === 0) return undefined;
  if (json !== response) return response > json ? RESPONSE_TYPE : JSON_TYPE;
  // Equal q-values: an explicit type beats a wildcard; then the first listed wins.
  return ranges.find(({ type }) => type === RESPONSE_TYPE || type === JSON_TYPE)?.type === RESPONSE_TYPE
    ? RESPONSE_TYPE
    : JSON_TYPE;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((part) => part.startsWith('q='))?.slice(2);
  const value = quality === undefined ? 1 : Number(quality);
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

/** The most specific range applies. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const candidate of [type, 'application/*', '*/*']) {
    const range = ranges.find((one) => one.type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
