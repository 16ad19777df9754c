import type { FILE_PURPOSES, FILE_STATES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { CONTENT_REFUSALS, CONTENT_TYPES, cleanFilename } from '@lyceum/storage';
import type { ContentType } from '@lyceum/storage';

export type Purpose = (typeof FILE_PURPOSES)[number];
export type FileState = (typeof FILE_STATES)[number];

export const REJECTIONS = ['size_mismatch', 'sha256_mismatch', ...CONTENT_REFUSALS, 'aborted'] as const;
export type Rejection = (typeof REJECTIONS)[number];

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Largest file of any purpose, in bytes. */
export const MAX_BYTES = 100 * MIB;

interface Allowed {
  readonly types: readonly ContentType[];
  readonly bytes: number;
}

/** The files that each purpose accepts. */
export const PURPOSES: Readonly<Record<Purpose, Allowed>> = {
  image: {
    types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'],
    bytes: 10 * MIB,
  },
  logo: { types: ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml', 'image/x-icon'], bytes: 2 * MIB },
  attachment: { types: CONTENT_TYPES, bytes: MAX_BYTES },
  import: { types: ['text/csv', 'application/x-ndjson'], bytes: 20 * MIB },
  page_bundle: { types: ['application/zip'], bytes: 5 * MIB },
};

/** Milliseconds from the start of an upload to the end of its link. */
export const UPLOAD_MS = HOUR_MS;

/** Milliseconds in a state after which the sweep deletes a file that no object uses. */
const KEPT_MS: Readonly<Record<FileState, number>> = {
  // An upload that began before the end of the link can still be in progress.
  pending: UPLOAD_MS + HOUR_MS,
  uploaded: 7 * 24 * HOUR_MS,
  ready: 7 * 24 * HOUR_MS,
  rejected: 24 * HOUR_MS,
};

/** Milliseconds until the sweep tries again to delete a file whose bytes it could not delete. */
export const POSTPONED_MS = HOUR_MS / 4;

/** An import reads its file at once. Such a file can have data of people that is erased within this time. */
const IMPORT_KEPT_MS = 24 * HOUR_MS;

/** Returns when the sweep deletes a file that enters the state now, unless an object uses it. */
export function sweepAt(
  { purpose, state }: { readonly purpose: Purpose; readonly state: FileState },
  now: number,
): Date {
  const kept = KEPT_MS[state];
  return new Date(now + (purpose === 'import' ? Math.min(kept, IMPORT_KEPT_MS) : kept));
}

/** The end of a hint about a full site: the sweep deletes files some time after their end. */
export const FREED =
  'The bytes of aborted uploads are free within a day, those of files that nothing uses within a week';

/** @throws `resource_in_use` */
export function requireUnused({ uses }: { readonly uses: number }): void {
  if (uses === 0) return;
  throw new ApiError('resource_in_use', 'Another object uses the file', {
    hint: 'Remove the file from the object; it is deleted 7 days after its last use',
  });
}

interface Announced {
  readonly purpose: Purpose;
  readonly filename: string;
  readonly content_type: ContentType;
  readonly bytes: number;
}

/**
 * Checks an announced file. Returns its name in Unicode NFC.
 *
 * @throws `validation_failed` for a type, a size or a name that the purpose does not accept
 */
export function requireAllowed({ purpose, filename, content_type, bytes }: Announced): string {
  const { types, bytes: most } = PURPOSES[purpose];
  const name = cleanFilename(filename);
  const errors = [
    ...('refusal' in name ? [{ pointer: '/filename', code: 'invalid_value' as const, detail: name.refusal }] : []),
    ...(types.includes(content_type)
      ? []
      : [
          {
            pointer: '/content_type',
            code: 'invalid_value' as const,
            detail: `${purpose} accepts ${types.join(', ')}`,
          },
        ]),
    ...(bytes <= most
      ? []
      : [{ pointer: '/bytes', code: 'too_large' as const, detail: `${purpose} accepts up to ${most} bytes` }]),
  ];
  if ('refusal' in name || errors.length > 0)
    throw new ApiError('validation_failed', 'The file is not accepted', { errors });
  return name.filename;
}

/** Beginnings of the keys of all files. The id of the site follows. */
export const PREFIXES = {
  files: 'files/',
  public: 'public/',
  sized: 'sized/',
  uploads: 'uploads/',
  exports: 'exports/',
  imports: 'imports/',
} as const;

type File = Readonly<{ site_id: string; id: string }>;

/** Key to which the upload link writes. */
export const uploadKey = ({ site_id, id }: File): string => `${PREFIXES.uploads}${site_id}/${id}`;
/** Key of the checked file. No link writes to it. */
export const fileKey = ({ site_id, id }: File): string => `${PREFIXES.files}${site_id}/${id}`;
/** Key of the copy of an image that everyone may read, without the place, the time and the camera. */
export const publicKey = ({ site_id, id }: File): string => `${PREFIXES.public}${site_id}/${id}`;
/** Start of the keys of an image in all its sizes. */
export const sizedPrefix = ({ site_id, id }: File): string => `${PREFIXES.sized}${site_id}/${id}/`;
/** Key of the image in one size. */
export const sizedKey = (file: File, name: string): string => `${sizedPrefix(file)}${name}`;

/** True for the states that count as an open upload. */
export function isOpen(state: FileState): boolean {
  return state === 'pending' || state === 'uploaded';
}

/** Bytes from before this instant are older than any row of an open upload. */
export function forgottenBefore(now: number): Date {
  return new Date(now - KEPT_MS.rejected);
}
