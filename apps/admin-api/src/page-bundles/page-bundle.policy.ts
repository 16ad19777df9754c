import { ApiError } from '@lyceum/errors';
import { contentTypeOf } from './content-types.js';

const MIB = 1024 * 1024;

/** Limits of the files of a deployment. The zip file itself has at most 5 MiB: see the purpose page_bundle. */
export const BUNDLE_LIMITS = {
  files: 500,
  /** Unpacked bytes of all files. */
  bytes: 20 * MIB,
  bytesOfFile: 5 * MIB,
  /** Bytes of a path in UTF-8. */
  bytesOfPath: 200,
} as const;

/** Faults that an error names. */
const SHOWN_FAULTS = 20;

export const INDEX = 'index.html';

interface Packed {
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
}

/** A file that a deployment serves. */
export interface PlannedFile<Entry> {
  /** Below the address of the page. */
  readonly path: string;
  readonly content_type: string;
  readonly entry: Entry;
}

/**
 * Returns the files of a zip file that a deployment serves. Names with a dot in front and the folder __MACOSX are left
 * out: tools add them to zip files, and they can hold secrets.
 *
 * @throws `validation_failed` with all faults for a file that cannot be served, a missing index.html, or too much
 */
export function plannedFiles<Entry extends Packed>(entries: readonly Entry[]): readonly PlannedFile<Entry>[] {
  const served = entries
    .map((entry) => ({ path: entry.name.normalize('NFC'), entry }))
    .filter(({ path }) => !isHidden(path));
  const faults = [...served.flatMap(({ path, entry }) => faultsOf(path, entry)), ...faultsOfAll(served)];
  if (faults.length > 0) throw refusedBundle(faults);
  return served.map(({ path, entry }) => ({ path, entry, content_type: contentTypeOf(path) ?? '' }));
}

/** The error of a zip file that cannot be deployed. */
export function refusedBundle(faults: readonly string[]): ApiError {
  return new ApiError('validation_failed', 'The zip file cannot be deployed', {
    errors: faults.slice(0, SHOWN_FAULTS).map((detail) => ({ pointer: '/file_id', code: 'invalid_value', detail })),
  });
}

function isHidden(path: string): boolean {
  const [top, ...rest] = path.split('/');
  return top === '__MACOSX' || [top, ...rest].some((segment) => segment?.startsWith('.') === true);
}

function faultsOf(path: string, { bytes }: Packed): string[] {
  const { bytesOfFile, bytesOfPath } = BUNDLE_LIMITS;
  return [
    ...(Buffer.byteLength(path) > bytesOfPath
      ? [`${path.slice(0, 60)}…: a path has at most ${bytesOfPath} bytes`]
      : []),
    ...(path.split('/').includes('') ? [`${path}: a folder has no name`] : []),
    ...(contentTypeOf(path) === undefined ? [`${path}: pages serve no files with this ending`] : []),
    ...(bytes > bytesOfFile ? [`${path}: it unpacks to more than ${bytesOfFile} bytes`] : []),
  ];
}

function faultsOfAll(served: readonly { readonly path: string; readonly entry: Packed }[]): string[] {
  const { files, bytes } = BUNDLE_LIMITS;
  const total = served.reduce((sum, { entry }) => sum + entry.bytes, 0);
  return [
    ...(served.some(({ path }) => path === INDEX) ? [] : [`${INDEX} is missing at the top of the zip file`]),
    ...(served.length > files ? [`It has more than ${files} files`] : []),
    ...(total > bytes ? [`It unpacks to more than ${bytes} bytes`] : []),
  ];
}
