import { ApiError } from '@lyceum/errors';

/** A picture of an object: its address, and the file of the site that is shown there. */
export interface Picture {
  readonly url: string | null;
  readonly file_id: string | null;
}
type PicturePatch = { readonly [K in keyof Picture]?: Picture[K] | undefined };

/** Names of the members of an object with a picture. */
export interface PictureMembers {
  readonly url: string;
  readonly file_id: string;
}

/**
 * The picture after a patch: a file gives the address, and another address ends the file. The address of the file may
 * stand beside it, as responses show both.
 *
 * @param urlOf the public address of a file
 * @throws `validation_failed` for a file and another address
 */
export function pictureAfter(
  current: Picture,
  { url, file_id }: PicturePatch,
  urlOf: (file_id: string) => string,
  members: PictureMembers,
): Picture {
  if (typeof file_id === 'string') {
    const own = urlOf(file_id);
    if (typeof url !== 'string' || url === own || url === current.url) return { url: own, file_id };
    const detail = `An object has either ${members.url} or ${members.file_id}, not both`;
    throw new ApiError('validation_failed', detail, {
      errors: [{ pointer: `/${members.file_id}`, code: 'invalid_value', detail }],
    });
  }
  if (url !== undefined && url !== current.url) return { url, file_id: null };
  if (file_id === null && current.file_id !== null) return { url: null, file_id: null };
  return current;
}
