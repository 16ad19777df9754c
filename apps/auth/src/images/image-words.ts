import { say } from '@lyceum/messages';
import type { ImageFault, ImageLimits } from './image.policy.js';

const MEBIBYTE = 1024 * 1024;

/** Types that a browser offers for choice. */
export const ACCEPTED_IMAGES = 'image/png,image/jpeg,image/webp';

export const megabytesOf = ({ bytes }: Pick<ImageLimits, 'bytes'>): number => bytes / MEBIBYTE;

const WORDS: Readonly<Record<ImageFault, (limits: ImageLimits) => string>> = {
  bytes: (limits) => say('profile.picture_bytes', { megabytes: megabytesOf(limits) }),
  type: () => say('profile.picture_type'),
  side: ({ side }) => say('profile.picture_side', { side }),
};

/** Says what is wrong with a refused image, and what to do. */
export const imageFaultWords = (fault: ImageFault, limits: ImageLimits): string => WORDS[fault](limits);
