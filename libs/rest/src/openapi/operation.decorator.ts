import type { ApiErrorCode } from '@lyceum/errors';
import { SetMetadata, applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import { deprecationHeaders } from './deprecation.js';
import type { Deprecation, DeprecationHeaders } from './deprecation.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers of each response. */
    deprecated?: DeprecationHeaders;
  }
}

export const OPERATION = Symbol('admin-api:operation');

/** What the document says of a route that its other decorators (path, scopes, `@Query`, `@Body`) do not say. */
export interface OperationDescription {
  /** `operationId`: the name of the function that a generated client gets. */
  readonly id: string;
  /** Verb and noun: the title in the OpenAPI document and of the tool. */
  readonly summary: string;
  /** For people: what it does, and what follows. */
  readonly description: string;
  /** Each response has the headers, and the descriptions say it. */
  readonly deprecated?: Deprecation | undefined;
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
  const { deprecated } = description;
  const described = SetMetadata(OPERATION, description);
  if (deprecated === undefined) return described;
  return applyDecorators(described, RouteConfig({ deprecated: deprecationHeaders(deprecated) }));
}
