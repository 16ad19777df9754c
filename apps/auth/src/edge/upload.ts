import type { FastifyRequest } from 'fastify';
import { FORM, mediaType, readBytes, readForm, requireType, single } from './body.js';
import { OAuthError } from './oauth-error.js';

/** A file, with what browsers add to it. */
const FORM_BYTES = 16 * 1024;
/** Bytes of the longest body that still gets a page as its response. */
export const READ_LIMIT = 32 * 1024 * 1024;

/** A form with files. */
export interface Upload {
  /**
   * The value of a text field. Undefined when absent or empty.
   *
   * @throws `OAuthError` for a value with NUL, and for one that is given twice
   */
  readonly text: (name: string) => string | undefined;
  /** The content of a file. Empty without a file. @throws `OAuthError` for a file that is given twice */
  readonly file: (name: string) => Promise<Buffer>;
}

/**
 * Reads a form of multipart/form-data (RFC 7578) whose values have at most `limit` bytes. Undefined for a larger one.
 *
 * @throws `OAuthError` for another media type, a body beyond READ_LIMIT, and a malformed one
 */
export async function readUpload(request: FastifyRequest, limit: number): Promise<Upload | undefined> {
  requireType(request, 'multipart/form-data');
  const bytes = await readBytes(request, { kept: limit + FORM_BYTES, read: READ_LIMIT });
  if (bytes === undefined) return undefined;
  const form = await parse(bytes, request.headers['content-type'] ?? '');
  const value = (name: string): File | string | undefined => {
    const values = form.getAll(name);
    if (values.length > 1) throw new OAuthError(400, 'invalid_request', `${name} must not be given twice`);
    return values[0];
  };
  return {
    text: (name) => {
      const text = value(name);
      if (typeof text !== 'string' || text === '') return undefined;
      if (text.includes('\0')) throw new OAuthError(400, 'invalid_request', 'Remove the NUL from the parameters');
      return text;
    },
    file: async (name) => {
      const file = value(name);
      return typeof file === 'object' ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
    },
  };
}

/** Reads a form that may have files, also an urlencoded one, which has none. */
export async function readAnyForm(request: FastifyRequest, limit: number): Promise<Upload | undefined> {
  if (mediaType(request) !== FORM) return readUpload(request, limit);
  const form = await readForm(request);
  return { text: (name) => single(form, name), file: async () => Buffer.alloc(0) };
}

/** By the parser of `fetch`, which Node has. */
async function parse(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw new OAuthError(400, 'invalid_request', 'The body is not well-formed multipart/form-data');
  }
}
