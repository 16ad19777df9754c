/** Why a zip file cannot be deployed. */
export const BUNDLE_FAULTS = [
  'upload_missing',
  'unsafe_zip',
  'index_missing',
  'too_many_files',
  'too_large',
  'file_too_large',
  'path_too_long',
  'folder_without_name',
  'type_not_served',
] as const;

export interface BundleFault {
  readonly code: (typeof BUNDLE_FAULTS)[number];
  /** The file in the zip file, cut to 200 characters; null for a fault of the whole. */
  readonly path: string | null;
  /** Tells people what to change. */
  readonly detail: string;
}

/** Faults that a refusal names. */
const SHOWN_FAULTS = 20;

/** Thrown for a zip file that cannot be deployed. */
export class BundleRefusal extends Error {
  override readonly name = 'BundleRefusal';
  readonly faults: readonly BundleFault[];

  constructor(faults: readonly BundleFault[]) {
    super(`The zip file cannot be deployed: ${faults.map(({ code }) => code).join(', ')}`);
    this.faults = faults.slice(0, SHOWN_FAULTS);
  }
}
