import { hash } from 'node:crypto';
import { ApiError } from '@lyceum/errors';

/** Entity tags of `If-Match` and `If-None-Match` (RFC 9110 §8.8.3), `*` included. Nothing else is one. */
const TAG = /(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"|\*/g;

function tags(header: string): string[] {
  return header.match(TAG) ?? [];
}

/** The strong tag of a body that has no version of its own, such as a page of a list. */
export function bodyTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/**
 * Returns the strong entity tag of a row (RFC 9110 §8.8.3). `counters` are numbers of the object that clients do not
 * edit, such as the number of enrollments. Their change makes cached responses stale, but does not fail `If-Match`.
 */
export function rowTag(version: number, ...counters: readonly number[]): string {
  return `"${[version, ...counters].join('-')}"`;
}

/**
 * Returns the tag of a row for a body that shows other objects beside it. Their change makes cached responses stale,
 * but does not fail `If-Match`.
 */
export function expandedTag(tag: string, body: object): string {
  const digest = hash('sha256', JSON.stringify(body), 'buffer').readUIntBE(0, 6);
  return tag.replace(/"$/, `-${digest}"`);
}

/** Returns true if `If-None-Match` matches, by weak comparison (RFC 9110 §13.1.2). */
export function isFresh(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return tags(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/**
 * Checks `If-Match` by strong comparison (RFC 9110 §13.1.1). Compares the version only, because a course must stay
 * editable while students enroll. A missing header passes. No tag matches an object that does not exist.
 *
 * @throws `precondition_failed`
 */
export function requireMatch(version: number | undefined, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (version === undefined) {
    throw new ApiError('precondition_failed', 'The object does not exist', { hint: 'Leave If-Match out to create it' });
  }
  if (!tags(ifMatch).some((tag) => names(tag, version))) {
    throw new ApiError('precondition_failed', 'The object was modified since it was read', {
      hint: 'Read it again, then repeat with its etag, and with another idempotency key',
    });
  }
}

/**
 * Checks `If-None-Match` of a write by weak comparison (RFC 9110 §13.1.2), of the version only, as `requireMatch` does.
 * A missing header passes. `*` matches each object that exists, so a request with it creates an object or is refused.
 *
 * @throws `precondition_failed`
 */
export function requireNoneMatch(version: number | undefined, ifNoneMatch: string | undefined): void {
  if (version === undefined || ifNoneMatch === undefined) return;
  if (tags(ifNoneMatch).some((tag) => names(tag.replace(/^W\//, ''), version))) {
    throw new ApiError('precondition_failed', 'The object exists', { hint: 'Leave If-None-Match out to change it' });
  }
}

/** Returns true if a strong tag or `*` names the version. */
function names(tag: string, version: number): boolean {
  return tag === '*' || tag.replace(/^"(\d+)(?:-\d+)*"$/, '$1') === String(version);
}

/** Entity tags that the object of a write must and must not have. */
export interface Preconditions {
  /** `If-Match` */
  readonly ifMatch?: string | undefined;
  /** `If-None-Match` */
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Checks the conditions of a write, in the order of RFC 9110 §13.2.2.
 *
 * @throws `precondition_failed`
 */
export function requirePreconditions(version: number | undefined, { ifMatch, ifNoneMatch }: Preconditions): void {
  requireMatch(version, ifMatch);
  requireNoneMatch(version, ifNoneMatch);
}

/** Requires `If-Match` (RFC 6585 §3). @throws `precondition_required` */
export function requireIfMatch({ ifMatch }: Preconditions): void {
  if (ifMatch === undefined) {
    throw new ApiError('precondition_required', 'If-Match is missing', {
      hint: 'Read the object and send its ETag in If-Match',
    });
  }
}
