import { MAX_JSON_DEPTH, isTooDeep } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { OAuthError } from './oauth-error.js';

/** Bytes. Far above any honest request to these endpoints. */
export const BODY_LIMIT = 16_384;

/** Media type of a form without files. */
export const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

export function mediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function requireType(request: FastifyRequest, type: string): void {
  if (mediaType(request) === type) return;
  throw new OAuthError(415, 'invalid_request', `The body must be ${type}`, { 'accept-post': type });
}

const tooLarge = (limit: number): OAuthError =>
  new OAuthError(413, 'invalid_request', `The body is larger than the limit of ${limit} bytes`, {
    // The rest of the body is not read.
    connection: 'close',
  });
const incomplete = (): OAuthError => new OAuthError(400, 'invalid_request', 'The body is incomplete');

interface BodyLimits {
  /** Bytes of the longest body. */
  readonly kept: number;
  /** Bytes of a longer body that are read and dropped: browsers show no response to an unread body. */
  readonly read: number;
}

/**
 * Reads a body by events, in place of an async iterator, which costs as much as the remaining parsing of an
 * introspection. Undefined for a body between the two limits.
 *
 * @throws `OAuthError` for a body beyond both, and an incomplete one
 */
export function readBytes({ raw, headers }: FastifyRequest, { kept, read }: BodyLimits): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(headers['content-length'] ?? 0) > read) return reject(tooLarge(kept));
    // The connection may have ended while the session was read.
    if (raw.destroyed) return reject(incomplete());
    const chunks: Buffer[] = [];
    let size = 0;
    const receive = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= kept) chunks.push(chunk);
      else chunks.length = 0;
      if (size <= read) return;
      raw.off('data', receive).pause();
      reject(tooLarge(kept));
    };
    raw.on('data', receive);
    raw.once('end', () => resolve(size <= kept ? Buffer.concat(chunks, size) : undefined));
    raw.once('error', reject);
    raw.once('close', () => {
      if (!raw.readableEnded) reject(incomplete());
    });
  });
}

async function readText(request: FastifyRequest): Promise<string> {
  const bytes = await readBytes(request, { kept: BODY_LIMIT, read: BODY_LIMIT });
  return (bytes ?? Buffer.alloc(0)).toString('utf8');
}

/** No valid value contains NUL, and PostgreSQL accepts it neither in text nor in JSON: it would end as a 500. */
export function hasNul(encoded: string): boolean {
  return encoded.includes('%00') || encoded.includes('\0');
}

/** Reads the form of an OAuth endpoint. Throws `OAuthError` for another media type, a too large body, or a NUL. */
export async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  requireType(request, FORM);
  const text = await readText(request);
  if (hasNul(text)) throw new OAuthError(400, 'invalid_request', 'Remove the NUL from the parameters');
  return new URLSearchParams(text);
}

/** Reads a JSON value. @throws `OAuthError` for another media type, a too large or too deep body, and malformed JSON */
export async function readJson(request: FastifyRequest): Promise<unknown> {
  requireType(request, JSON_TYPE);
  const value = parseJson(await readText(request));
  if (!isTooDeep(value)) return value;
  throw new OAuthError(
    400,
    'invalid_request',
    `The body may have at most ${MAX_JSON_DEPTH} levels of lists and objects`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError(400, 'invalid_request', 'The body is not well-formed JSON');
  }
}

/** The value of a parameter that must not be given twice (RFC 6749 §3.2). Undefined when absent or empty. */
export function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw new OAuthError(400, 'invalid_request', `${name} must not be given twice`);
  return values[0] || undefined;
}
