import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { refuseBody, refuseQuery } from './refusal.policy.js';

/** Parses what `@Body({ schema })` and `@Query({ schema })` declare. The same schemas make the OpenAPI document. */
@Injectable()
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const schema = metadata.schema as z.ZodType | undefined;
    if (schema === undefined || (metadata.type !== 'body' && metadata.type !== 'query')) return value;
    if (metadata.type === 'body' && value === undefined && !schema.safeParse(undefined).success) {
      throw new ApiError('invalid_request', 'A JSON body is needed');
    }
    // The input of an issue tells a missing member from a wrong one. It is never shown.
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success) return result.data;
    throw metadata.type === 'query' ? refuseQuery(result.error) : refuseBody(result.error);
  }
}
