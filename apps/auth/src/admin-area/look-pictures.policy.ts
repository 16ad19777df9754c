import { PAGE_PICTURE_BYTES } from '@lyceum/contracts';
import type { Upload } from '#src/edge/upload.js';
import { acceptImage } from '#src/images/image.policy.js';
import type { ImageFault, ImageLimits, StoredImage } from '#src/images/image.policy.js';
import type { SettingFault } from './look.policy.js';

/** Limits of a logo or an icon in a form. The script of the page makes larger ones small before it sends them. */
export const LOGO_LIMITS = { bytes: PAGE_PICTURE_BYTES, side: 4096 } as const satisfies ImageLimits;

/** Bytes of the longest form: a picture above its own limit still gets its error beside the other values. */
export const LOOK_FORM_BYTES = 8 * 1024 * 1024;

export const PICTURES = ['logo', 'favicon'] as const;
export type PictureName = (typeof PICTURES)[number];

/** Pictures that a form has chosen and the site does not have yet. A preview stores none: its form sends them again. */
export type ChosenPictures = Readonly<Partial<Record<PictureName, StoredImage>>>;

/** The names of the controls of a picture. */
export const pictureControls = (picture: PictureName) =>
  ({
    file: `${picture}_file`,
    chosen: `${picture}_chosen`,
    removal: `${picture}_removal`,
    url: `${picture}_url`,
  }) as const;

export function dataUrl({ type, bytes }: StoredImage): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

const DATA_URL = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/;

type Accepted = StoredImage | { readonly fault: ImageFault };

/** The picture of an earlier preview, checked again: the browser has kept it. */
function kept(text: string): Accepted {
  const content = DATA_URL.exec(text)?.[1];
  return content === undefined ? { fault: 'type' } : acceptImage(Buffer.from(content, 'base64'), LOGO_LIMITS);
}

interface SentPictures {
  readonly chosen: ChosenPictures;
  readonly removed: readonly PictureName[];
  readonly faults: readonly SettingFault[];
}

/** Returns the pictures of a form. Each is a chosen file, or the file of an earlier preview. */
export async function sentPictures(form: Upload): Promise<SentPictures> {
  const removed = PICTURES.filter((picture) => form.text(pictureControls(picture).removal) !== undefined);
  const chosen: Partial<Record<PictureName, StoredImage>> = {};
  const faults: SettingFault[] = [];
  for (const picture of PICTURES) {
    if (removed.includes(picture)) continue;
    const { file: field, chosen: earlier } = pictureControls(picture);
    const [file, text] = [await form.file(field), form.text(earlier)];
    if (file.length === 0 && text === undefined) continue;
    const accepted = file.length > 0 ? acceptImage(file, LOGO_LIMITS) : kept(text ?? '');
    if ('fault' in accepted) faults.push({ field, code: accepted.fault });
    else chosen[picture] = accepted;
  }
  return { chosen, removed, faults };
}
