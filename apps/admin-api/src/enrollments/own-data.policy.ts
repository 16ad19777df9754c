import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@lyceum/errors';
import type { Enrollment } from './enrollment.entity.js';

/** Data of the school at an enrollment, which its member does not see. */
export type OwnData = Pick<Enrollment, 'external_id' | 'metadata'>;

/** The data that a request names. A tool call or an import can have none. */
export type OwnRequest = { readonly [Member in keyof OwnData]?: OwnData[Member] | undefined };

/** The own data of an enrollment. A new one has none. */
export function ownDataOf(row: OwnData | undefined): OwnData {
  return { external_id: row?.external_id ?? null, metadata: row?.metadata ?? {} };
}

/** Members that differ. */
export function changedOwn(before: OwnData, after: OwnData): (keyof OwnData)[] {
  const members: (keyof OwnData)[] = ['external_id', 'metadata'];
  return members.filter((member) => !isDeepStrictEqual(before[member], after[member]));
}

interface Enrolled {
  /** Id of the enrollment. Undefined: it is new. */
  readonly id: string | undefined;
  /** The enrollment has the access that is requested. */
  readonly isRepeated: boolean;
  /** Another enrollment that has the requested external id. */
  readonly other: { readonly id?: string | undefined } | undefined;
}

/**
 * The own data after a creation. A repeated request changes nothing. A request that gives access again leaves members
 * that it does not name.
 *
 * @throws `already_exists` for the external id of another enrollment, and for another one than the enrollment has
 */
export function ownDataAfter(
  known: OwnData,
  { external_id = null, metadata = {} }: OwnRequest,
  { id, isRepeated, other }: Enrolled,
): OwnData {
  if (other !== undefined) {
    throw refused('Another enrollment of this site has this external id', 'Taken by another enrollment', other.id);
  }
  const isOther = external_id !== null && external_id !== known.external_id;
  if (isOther && (isRepeated || known.external_id !== null)) {
    const detail = 'Enrolled without this external id';
    throw refused('The student is enrolled in this course without this external id', detail, id);
  }
  if (isRepeated) return known;
  const isEmpty = Object.keys(metadata).length === 0;
  return { external_id: external_id ?? known.external_id, metadata: isEmpty ? known.metadata : metadata };
}

function refused(message: string, detail: string, id: string | undefined): ApiError {
  return new ApiError('already_exists', message, {
    errors: [{ pointer: '/external_id', code: 'already_exists', detail, id }],
    hint: 'Update an enrollment to change its external id',
  });
}
