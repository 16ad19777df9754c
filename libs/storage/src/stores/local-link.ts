import { SigningKey } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';
import { z } from 'zod';
import type { DownloadLink, UploadLink } from './file-store.js';

const period = { key: z.string(), from: z.int(), until: z.int() };
const putClaims = z.object({
  ...period,
  method: z.literal('PUT'),
  bytes: z.int(),
  content_type: z.string(),
  sha256: z.string(),
});
const getClaims = z.object({ ...period, method: z.literal('GET'), filename: z.string(), content_type: z.string() });
const claims = z.discriminatedUnion('method', [putClaims, getClaims]);

type Claims = z.infer<typeof claims>;
type ClaimsOf<Method extends Claims['method']> = Extract<Claims, { method: Method }>;

/** Path prefix of the links to a local store. */
export const LINK_PATH = '/files/';

/** Signs and opens links to a local store. A link has its claims, and an HMAC over them that is valid at one origin. */
export class LocalLinks {
  constructor(private readonly keys: SecretKeys) {}

  put({ base_url, from, until, key, bytes, content_type, sha256 }: UploadLink): string {
    const time = { from: from.getTime(), until: until.getTime() };
    return this.#url(base_url, { method: 'PUT', key, ...time, bytes, content_type, sha256 });
  }

  get({ base_url, from, until, key, filename, content_type }: DownloadLink): string {
    const time = { from: from.getTime(), until: until.getTime() };
    return this.#url(base_url, { method: 'GET', key, ...time, filename, content_type });
  }

  /** Returns the claims of a link if it is valid for the method and the key now, otherwise undefined. */
  open<Method extends Claims['method']>(
    method: Method,
    { base_url, key, signature }: { readonly base_url: string; readonly key: string; readonly signature: string },
    now = Date.now(),
  ): ClaimsOf<Method> | undefined {
    const bytes = this.#signer(base_url).open(signature);
    if (bytes === undefined) return undefined;
    const found = claims.parse(JSON.parse(bytes.toString()));
    const fits = found.method === method && found.key === key && found.until > now;
    return fits ? (found as ClaimsOf<Method>) : undefined;
  }

  #url(base_url: string, found: Claims): string {
    const signature = this.#signer(base_url).seal(Buffer.from(JSON.stringify(found)));
    return `${base_url}${LINK_PATH}${found.key}?signature=${signature}`;
  }

  #signer(base_url: string): SigningKey {
    return new SigningKey(this.keys, 'file-link', base_url);
  }
}
