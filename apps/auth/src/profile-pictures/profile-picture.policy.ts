import { acceptImage } from '#src/images/image.policy.js';
import type { ImageFault, ImageLimits, StoredImage } from '#src/images/image.policy.js';

/** The limits of an uploaded picture. A check constraint has the same number of bytes. */
export const PICTURE_LIMITS = { bytes: 1024 * 1024, side: 4096 } as const satisfies ImageLimits;

/** `none`: the form has no file. */
export type PictureFault = ImageFault | 'none';

/** The picture as it is stored, or the reason why it is refused. */
export function acceptPicture(bytes: Buffer): StoredImage | { readonly fault: PictureFault } {
  return bytes.length === 0 ? { fault: 'none' } : acceptImage(bytes, PICTURE_LIMITS);
}
