import type { ContentType } from '@lyceum/storage';
import type { FileState, Purpose } from './file.policy.js';

/** A file that an object is to use. */
export interface FileUse {
  readonly file_id: string;
  /** JSON Pointer to the member of the request that names it. */
  readonly pointer: string;
  readonly purpose: Purpose;
  /** Undefined: each type of the purpose. */
  readonly types?: readonly ContentType[] | undefined;
}

/** An object with all files that it uses from now on. */
export interface FileUser {
  readonly id: string;
  readonly files: readonly FileUse[];
}

/** A file that an object cannot use. `known`: it is a file of the site that the caller may use. */
export interface RefusedUse extends FileUse {
  readonly known: boolean;
  readonly state: FileState;
  readonly found_purpose: Purpose;
  readonly content_type: ContentType;
}

/** Files that everyone may read by their public link as long as something uses them. */
export const PUBLIC_PURPOSES: readonly Purpose[] = ['logo', 'image'];

/** Path of public files at their site. */
const PUBLIC_PATH = '/files/public/';

export const publicPath = (file_id: string): string => `${PUBLIC_PATH}${file_id}`;

interface Fault {
  readonly pointer: string;
  readonly code: 'not_found' | 'invalid_value';
  readonly detail: string;
}

/** Why an object cannot use a file. */
export function faultOf({ pointer, known, state, purpose, found_purpose, types, content_type }: RefusedUse): Fault {
  const invalid = (detail: string): Fault => ({ pointer, code: 'invalid_value', detail });
  if (!known) return { pointer, code: 'not_found', detail: 'Is no file of this site that the caller may use' };
  if (state !== 'ready') return invalid(`The file is ${state}; only a file that is ready can be used`);
  if (found_purpose !== purpose) return invalid(`The file has the purpose ${found_purpose}, and needs ${purpose}`);
  return invalid(`The file has the type ${content_type}, and needs ${types?.join(' or ')}`);
}
