import { withoutMetadata } from '@lyceum/platform';
import { checkImage } from '#src/images/image.policy.js';
import type { ImageFault, ImageLimits, StoredImage } from '#src/images/image.policy.js';

/** The limits of an uploaded picture. A check constraint has the same number of bytes. */
export const PICTURE_LIMITS = { bytes: 1024 * 1024, side: 4096 } as const satisfies ImageLimits;

/** `none`: the form has no file. */
export type PictureFault = ImageFault | 'none';

/** The picture as it is stored, or the reason why it is refused. */
export function acceptPicture(bytes: Buffer): StoredImage | { readonly fault: PictureFault } {
  if (bytes.length === 0) return { fault: 'none' };
  const checked = checkImage(bytes, PICTURE_LIMITS);
  if ('fault' in checked) return checked;
  const { type } = checked;
  const cleaned = withoutMetadata(type, bytes);
  return cleaned === undefined ? { fault: 'type' } : { type, bytes: cleaned };
}
