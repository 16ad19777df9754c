import { hash } from 'node:crypto';

/** How a change is asked for, beside what it is: read from an HTTP request or from a tool call. */
export interface Write {
  /** `Idempotency-Key`, or null. */
  readonly key: string | null;
  /** What the key belongs to beside the caller: `POST /api/v1/courses`, `TOOL enroll_student`. */
  readonly operation: string;
  /** SHA-256 of what is asked: the same key with another one is refused. */
  readonly requestHash: Buffer;
  readonly dryRun: boolean;
  /** `If-Match`, or undefined. */
  readonly ifMatch: string | undefined;
  /** The members of the body, as the caller named them. */
  readonly sent?: object;
  /** What shows more of the object than the change itself. */
  readonly readScope: string;
}

/** `students:read` of `students:write`. */
export function readScopeOf([scope = '']: readonly string[]): string {
  return scope.replace(/:write$/, ':read');
}

export function requestHash(body: unknown): Buffer {
  return hash('sha256', JSON.stringify(body ?? null), 'buffer');
}
