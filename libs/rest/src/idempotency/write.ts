import { hash } from 'node:crypto';
import type { Preconditions } from '../responses/etag.policy.js';

/** The options of a write, from an HTTP request or a tool call. */
export interface Write extends Preconditions {
  /** `Idempotency-Key`, or null. */
  readonly key: string | null;
  /** The scope of the key beside the caller: `POST /api/v1/courses`, `TOOL enroll_student`. */
  readonly operation: string;
  /** SHA-256 of the request: the same key with another one is refused. */
  readonly requestHash: Buffer;
  readonly dryRun: boolean;
  /** The members of the body, as the caller named them. */
  readonly sent?: object;
  /** The scope that shows more of the object than the change itself. */
  readonly readScope: string;
}

export function requestHash(body: unknown): Buffer {
  return hash('sha256', JSON.stringify(body ?? null), 'buffer');
}
