import type { FastifyReply } from 'fastify';
import type { StoredImage } from './image.policy.js';

interface ImagePolicy {
  /** Value of Cache-Control. */
  readonly cache: string;
  /** The pages that may show the image. */
  readonly readers: 'same-origin' | 'cross-origin';
}

/** Sends an image that a stranger chose. Opened as a page, it runs nothing and loads nothing. */
export function sendImage(reply: FastifyReply, { type, bytes }: StoredImage, { cache, readers }: ImagePolicy): void {
  void reply
    .headers({
      'content-type': type,
      'cache-control': cache,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': readers,
    })
    .send(bytes);
}
