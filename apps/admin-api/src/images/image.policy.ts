import { hash } from 'node:crypto';
import { ApiError } from '@lyceum/errors';

/** Widths in pixels in which everyone can ask for an image. */
export const WIDTHS = [64, 128, 256, 480, 640, 960, 1280, 1920] as const;
export type Width = (typeof WIDTHS)[number];

/** Most pixels of the images that are decoded, by type. One takes up to 220 MB then. */
export const MAX_PIXELS = {
  'image/png': 25_000_000,
  'image/jpeg': 25_000_000,
  'image/gif': 25_000_000,
  'image/webp': 25_000_000,
  // A decoder of AVIF takes 17 bytes for each pixel, the others up to 5.
  'image/avif': 12_000_000,
} as const;
export type DecodedType = keyof typeof MAX_PIXELS;

/** Media type of the images with a width. All browsers show it, and it is smaller than the others. */
export const SIZED_TYPE = 'image/webp';

/** Vector images fit every width, and icons have several widths: they are not decoded. */
export function isDecoded(content_type: string): content_type is DecodedType {
  return Object.hasOwn(MAX_PIXELS, content_type);
}

/** Part of the name of each converted image. Raise it with a change of the conversion, so that caches load it. */
const CONVERSION = 1;

interface Content {
  readonly sha256: string;
}

/**
 * The parameter `w` of a request, undefined without one.
 *
 * @throws `invalid_request` for any other value than one of `WIDTHS`
 */
export function widthOf(w: unknown): Width | undefined {
  if (w === undefined) return undefined;
  const width = WIDTHS.find((one) => String(one) === w);
  if (width === undefined) throw new ApiError('invalid_request', `w must be one of ${WIDTHS.join(', ')}`);
  return width;
}

/** The name of an image with a width. It changes with the content and with the conversion. */
export function sizedName({ sha256 }: Content, width: Width): string {
  return `${width}-${hash('sha256', `${CONVERSION}:${sha256}`).slice(0, 16)}`;
}

/** The width in a name that the image has now. */
export function widthOfName(content: Content, name: string): Width | undefined {
  return WIDTHS.find((width) => sizedName(content, width) === name);
}

/** A line of the message of sharp about a conversion that has reached its time limit. */
const TIMEOUT = /^timeout: /m;

/** @throws `temporarily_unavailable` for a conversion that has reached its time limit, in seconds */
export function requireTime(error: unknown, seconds: number): void {
  if (!(error instanceof Error && TIMEOUT.test(error.message))) return;
  const how = { cause: error, retryAfter: seconds };
  throw new ApiError('temporarily_unavailable', 'The image takes too long at this time', how);
}
