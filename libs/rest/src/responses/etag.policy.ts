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
 * The tag of a row. `counters` are numbers that the object shows but no client edits (the number of enrollments): a reader's
 * copy is stale when they change, an editor's is not.
 */
export function rowTag(version: number, ...counters: readonly number[]): string {
  return `"${[version, ...counters].join('-')}"`;
}

/** RFC 9110 §13.1.2: weak comparison. */
export function isFresh(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return tags(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/**
 * RFC 9110 §13.1.1: strong comparison, and only of the part that an edit changes: a course must stay editable while
 * people enroll. Without the header nothing is asked.
 */
export function requireMatch(version: number, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const matches = tags(ifMatch).some(
    (tag) => tag === '*' || tag.replace(/^"(\d+)(?:-\d+)*"$/, '$1') === String(version),
  );
  if (!matches) {
    throw new ApiError('precondition_failed', 'It has changed since it was read', {
      hint: 'Read it again, then repeat',
    });
  }
}

/** RFC 6585 §3. @throws `precondition_required` */
export function requireIfMatch({ ifMatch }: { readonly ifMatch?: string | undefined }): void {
  if (ifMatch === undefined) {
    throw new ApiError('precondition_required', 'If-Match is missing', {
      hint: 'Read the object and send its ETag in If-Match',
    });
  }
}
