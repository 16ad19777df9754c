import { beginningOf } from '@lyceum/platform';
import { BundleRefusal } from './bundle-refusal.js';
import type { BundleFault } from './bundle-refusal.js';
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

/** A fault names a path up to this number of characters. */
const SHOWN_PATH = 200;

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
 * @throws {BundleRefusal} with all faults, for a file that cannot be served, a missing index.html, or too much
 */
export function plannedFiles<Entry extends Packed>(entries: readonly Entry[]): readonly PlannedFile<Entry>[] {
  const served = entries
    .map((entry) => ({ path: entry.name.normalize('NFC'), entry }))
    .filter(({ path }) => !isHidden(path));
  const faults = [...served.flatMap(({ path, entry }) => faultsOf(path, entry)), ...faultsOfAll(served)];
  if (faults.length > 0) throw new BundleRefusal(faults);
  return served.map(({ path, entry }) => ({ path, entry, content_type: contentTypeOf(path) ?? '' }));
}

function isHidden(path: string): boolean {
  const [top, ...rest] = path.split('/');
  return top === '__MACOSX' || [top, ...rest].some((segment) => segment?.startsWith('.') === true);
}

function faultsOf(path: string, { bytes }: Packed): BundleFault[] {
  const { bytesOfFile, bytesOfPath } = BUNDLE_LIMITS;
  const fault = (code: BundleFault['code'], detail: string): BundleFault => {
    const shown = beginningOf(path, SHOWN_PATH);
    return { code, path: shown, detail: `${shown}: ${detail}` };
  };
  return [
    ...(Buffer.byteLength(path) > bytesOfPath
      ? [fault('path_too_long', `a path has at most ${bytesOfPath} bytes`)]
      : []),
    ...(path.split('/').includes('') ? [fault('folder_without_name', 'a folder has no name')] : []),
    ...(contentTypeOf(path) === undefined ? [fault('type_not_served', 'pages serve no files with this ending')] : []),
    ...(bytes > bytesOfFile ? [fault('file_too_large', `it unpacks to more than ${bytesOfFile} bytes`)] : []),
  ];
}

function faultsOfAll(served: readonly { readonly path: string; readonly entry: Packed }[]): BundleFault[] {
  const { files, bytes } = BUNDLE_LIMITS;
  const total = served.reduce((sum, { entry }) => sum + entry.bytes, 0);
  const fault = (code: BundleFault['code'], detail: string): BundleFault => ({ code, path: null, detail });
  return [
    ...(served.some(({ path }) => path === INDEX)
      ? []
      : [fault('index_missing', `${INDEX} is missing at the top of the zip file`)]),
    ...(served.length > files ? [fault('too_many_files', `It has more than ${files} files`)] : []),
    ...(total > bytes ? [fault('too_large', `It unpacks to more than ${bytes} bytes`)] : []),
  ];
}
