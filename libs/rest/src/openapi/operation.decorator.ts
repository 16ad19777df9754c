import type { ApiErrorCode } from '@lyceum/errors';
import { SetMetadata } from '@nestjs/common';
import type { z } from 'zod';

export const OPERATION = Symbol('admin-api:operation');

/** What the document says of a route that its other decorators (path, scopes, `@Query`, `@Body`) do not say. */
export interface OperationDescription {
  /** `operationId`: the name of the function that a generated client gets. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Without a schema an answer has no body. */
  readonly responses: Readonly<
    Record<number, { readonly description: string; readonly schema?: z.ZodType; readonly mediaType?: string }>
  >;
  /** Whether it takes `If-Match`. Without it, a write that never creates an object does. */
  readonly conditional?: boolean;
  /** Problems beside those that follow from what the route is: see `problems.policy.ts`. */
  readonly problems?: readonly ApiErrorCode[];
}

export function Operation(description: OperationDescription): MethodDecorator {
  return SetMetadata(OPERATION, description);
}
