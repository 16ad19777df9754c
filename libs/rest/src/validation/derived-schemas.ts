import { instantSchema, isSharedIdPattern } from '@lyceum/contracts';
import { z } from 'zod';
import { INSTANT_OR_DATE } from './fields.js';

/**
 * Returns the schema of a value in a JSON Merge Patch (RFC 7396): null empties a list, and an object may lack members.
 */
export function patchOf(schema: z.ZodType, byDefault: unknown): z.ZodType {
  if (schema instanceof z.ZodDefault) return patchOf(schema.unwrap() as z.ZodType, byDefault);
  if (schema instanceof z.ZodNullable) return patchOf(schema.unwrap() as z.ZodType, byDefault).nullable();
  if (schema instanceof z.ZodArray && Array.isArray(byDefault)) {
    return schema.nullable().transform((value): unknown => value ?? byDefault);
  }
  if (schema instanceof z.ZodRecord) {
    return z.record(schema.keyType, (schema.valueType as z.ZodType).nullable()).nullable();
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const inner = Object.entries<z.ZodType>(schema.shape);
  return z.strictObject(
    Object.fromEntries(inner.map(([name, one]) => [name, withDescription(one, patchOf(one, undefined).optional())])),
  );
}

/**
 * Returns the schema of a value in a response: the type of the request without its limits. A later release may raise a
 * limit, and must not break clients that validate responses.
 */
export function withoutLimits(schema: z.ZodType): z.ZodType {
  // Responses have instants only, so the description of the request would be wrong.
  if (schema.meta()?.['pattern'] === INSTANT_OR_DATE.pattern) return instantSchema;
  return withDescription(schema, loosened(schema));
}

function loosened(schema: z.ZodType): z.ZodType {
  const inner = (one: unknown): z.ZodType => withoutLimits(one as z.ZodType);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return inner(schema.unwrap());
  if (schema instanceof z.ZodNullable) return loosened(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodPipe) return inner(schema.in);
  if (schema instanceof z.ZodArray) return z.array(inner(schema.element));
  if (schema instanceof z.ZodRecord) return z.record(z.string(), inner(schema.valueType));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(inner) as [z.ZodType, ...z.ZodType[]]);
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.ZodType>(schema.shape);
    return z.object(Object.fromEntries(members.map(([name, one]) => [name, inner(one)])));
  }
  if (schema instanceof z.ZodNumber) {
    const type = schema.format === 'safeint' ? z.int() : z.number();
    // A count is negative in no release.
    return (schema.minValue ?? -1) >= 0 ? type.min(0) : type;
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) {
    // Responses have the UUID alone.
    if (schema.format === 'uuid' || isSharedIdPattern(schema.meta()?.['pattern'])) return z.uuid();
    return schema.format === 'datetime' ? instantSchema : z.string();
  }
  return schema;
}

/** Returns the schema `to` with the description of `from`. */
export function withDescription(from: z.ZodType, to: z.ZodType): z.ZodType {
  const inner = from instanceof z.ZodNullable ? (from.unwrap() as z.ZodType) : from;
  const description = from.meta()?.description ?? inner.meta()?.description;
  return description === undefined ? to : to.meta({ description });
}
