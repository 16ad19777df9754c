import type { IncomingMessage } from 'node:http';
import { OutboundNetwork, sendOutbound } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { freshSeconds } from './freshness.policy.js';

export const FETCH_LIMITS = {
  bytes: 5 * 1024,
  /** Milliseconds for a whole fetch, from the name to the last byte. */
  milliseconds: 5_000,
  /** Concurrent fetches of one replica. */
  fetches: 50,
} as const;

const OK = 200;
const NOT_MODIFIED = 304;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/** `invalid`: the response is not a document. `unreachable`: no response, which may be temporary. */
export type Fetched =
  | { readonly kind: 'found'; readonly text: string; readonly etag: string | null; readonly freshSeconds: number }
  | { readonly kind: 'unchanged'; readonly freshSeconds: number }
  | { readonly kind: 'invalid'; readonly error: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

class InvalidDocument extends Error {}

/**
 * JSON by any of its names (RFC 6839 §3.1), text/plain (as code hosts serve files), or no type. HTML, images and other
 * types are pages of a third party at that URL.
 */
function isTypeOfJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'text/plain' || /^[\w.-]+\/([\w.-]+\+)?json$/.test(type);
}

function checkHead({ statusCode, headers }: IncomingMessage): void {
  if (statusCode !== OK) throw new InvalidDocument(`The host answered with status ${statusCode}`);
  if (!isTypeOfJson(headers['content-type'])) throw new InvalidDocument('The document is not served as JSON');
  // The request asks for no compression, and a small compressed body can be very large.
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new InvalidDocument('The document is compressed');
  if (Number(headers['content-length'] ?? 0) > FETCH_LIMITS.bytes) throw new InvalidDocument(TOO_LARGE);
}

const TOO_LARGE = `The document is larger than ${FETCH_LIMITS.bytes} bytes`;

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FETCH_LIMITS.bytes) throw new InvalidDocument(TOO_LARGE);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new InvalidDocument('The document is not UTF-8');
  }
}

/** Fetches a document from a URL that a stranger chose, by `sendOutbound`. It limits number, time and size. */
@Injectable()
export class DocumentFetcher {
  #underWay = 0;

  constructor(private readonly network: OutboundNetwork) {}

  async fetch(url: URL, etag: string | null): Promise<Fetched> {
    if (this.#underWay >= FETCH_LIMITS.fetches) return { kind: 'unreachable', reason: 'too many fetches at a time' };
    this.#underWay += 1;
    const signal = AbortSignal.timeout(FETCH_LIMITS.milliseconds);
    try {
      return await this.#get(url, etag, signal);
    } catch (error) {
      if (error instanceof InvalidDocument) return { kind: 'invalid', error: error.message };
      return { kind: 'unreachable', reason: String(error) };
    } finally {
      this.#underWay -= 1;
    }
  }

  async #get(url: URL, etag: string | null, signal: AbortSignal): Promise<Fetched> {
    const response = await sendOutbound(this.network, {
      url,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'user-agent': 'lyceum-client-metadata',
        ...(etag === null ? {} : { 'if-none-match': etag }),
      },
      signal,
    });
    try {
      const { statusCode = 0, headers } = response;
      const fresh = freshSeconds(headers['cache-control']);
      if (statusCode === NOT_MODIFIED && etag !== null) return { kind: 'unchanged', freshSeconds: fresh };
      if (statusCode === TOO_MANY_REQUESTS || statusCode >= SERVER_ERRORS) {
        return { kind: 'unreachable', reason: `status ${statusCode}` };
      }
      checkHead(response);
      const text = await readText(response);
      return { kind: 'found', text, etag: headers.etag ?? null, freshSeconds: fresh };
    } finally {
      response.destroy();
    }
  }
}
