import type { ClientSource, Review } from '#src/clients/client.js';
import { formBase, formChanges, requireUnchanged } from '#src/pages/form-base.js';

/** The ways by which a client comes to a site that did not create it. */
export const EXTERNAL_SOURCES = ['loopback', 'document'] as const satisfies readonly ClientSource[];
export type ExternalSource = (typeof EXTERNAL_SOURCES)[number];

export const REVIEWS = ['unreviewed', 'approved', 'blocked'] as const satisfies readonly Review[];

/** A registered client, or one by document. */
export interface ExternalClient {
  readonly client_key: string;
  readonly client_id: string;
  readonly name: string;
  readonly source: ExternalSource;
  /** A registered client is unreviewed or blocked. */
  readonly review: Review;
  readonly redirect_uris: readonly string[];
  readonly created_at: Date;
  /** To the hour. */
  readonly last_used_at: Date | null;
}

export interface ExternalClientFilter {
  /** A part of the name or the client_id, in lower case. Empty filters nothing. */
  readonly text: string;
  readonly source: ExternalSource | undefined;
  readonly review: Review | undefined;
}

/** True when the site can give the client this state. Any program can use the client_id of a registered client. */
export function permitsReview(source: ExternalSource, review: Review): boolean {
  return source === 'document' || review !== 'approved';
}

interface ReviewedValues {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly review: Review | null;
}

/** Values that an administrator sees and approves. */
const SHOWN = ['name', 'redirect_uris'] as const;

export const approvalBase = (client: ReviewedValues): string => formBase(client, [...SHOWN, 'review']);

/**
 * An approval is valid for the values that the person saw. A repeated approval of the same values is accepted.
 *
 * @throws `precondition_failed` if the document or the review of the client has changed since
 */
export function requireShown(base: string | undefined, current: ReviewedValues): void {
  requireUnchanged(base, current, SHOWN);
  const review = current.review ?? 'unreviewed';
  formChanges<{ review: Review }>(base, { review: 'approved' }, { review });
}
