import { OutboundNetwork, sendOutbound } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { checkImage } from '#src/images/image.policy.js';
import type { StoredImage } from '#src/images/image.policy.js';
import { LOGO_LIMITS } from './logo-limits.js';

const OK = 200;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/** `invalid`: the response is not a logo. `unreachable`: no response, which may be temporary. */
export type FetchedLogo =
  | ({ readonly kind: 'found' } & StoredImage)
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unreachable'; readonly reason: string };

const INVALID: FetchedLogo = { kind: 'invalid' };

/** Fetches an image from a URL that a stranger chose, by `sendOutbound`. It limits time and size. */
@Injectable()
export class LogoFetcher {
  constructor(private readonly network: OutboundNetwork) {}

  async fetch(url: URL): Promise<FetchedLogo> {
    const signal = AbortSignal.timeout(LOGO_LIMITS.milliseconds);
    try {
      return await this.#get(url, signal);
    } catch (error) {
      return { kind: 'unreachable', reason: String(error) };
    }
  }

  async #get(url: URL, signal: AbortSignal): Promise<FetchedLogo> {
    const headers = { accept: 'image/webp, image/png, image/jpeg', 'user-agent': 'lyceum-client-metadata' };
    const response = await sendOutbound(this.network, { url, method: 'GET', headers, signal });
    try {
      const { statusCode = 0 } = response;
      if (statusCode === TOO_MANY_REQUESTS || statusCode >= SERVER_ERRORS) {
        return { kind: 'unreachable', reason: `status ${statusCode}` };
      }
      if (statusCode !== OK || Number(response.headers['content-length'] ?? 0) > LOGO_LIMITS.bytes) return INVALID;
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > LOGO_LIMITS.bytes) return INVALID;
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      const checked = checkImage(bytes, LOGO_LIMITS);
      return 'fault' in checked ? INVALID : { kind: 'found', type: checked.type, bytes };
    } finally {
      response.destroy();
    }
  }
}
