import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@lyceum/platform';
import { z } from 'zod';
import { refuseBody } from '../validation/refusal.policy.js';

type Plain = Record<string, unknown>;

/** A patch of a row. A value object may lack members, or be null. */
export type RowPatch<Row> = { readonly [K in keyof Row]?: unknown };

/** Members that are merged by their own members. All others are replaced. A `Resource` has this type. */
interface Merged {
  /** Objects with fixed members, for which null is a value. */
  readonly objects: readonly string[];
  /** Objects with arbitrary members, which null removes. */
  readonly records: readonly string[];
  /** Schema with the limits of records and the members of objects, which apply after each patch. */
  readonly create: z.ZodObject;
}

/**
 * Applies a JSON Merge Patch (RFC 7396) to a row. Returns the columns that change, or undefined if none does.
 *
 * @throws `validation_failed` if the patch makes a record too large, or names a part of an object that is null
 */
export function changedColumns<Row extends object>(
  row: Row,
  patch: RowPatch<Row>,
  { objects, records, create }: Merged,
): Partial<Row> | undefined {
  const changed = Object.entries(patch).flatMap(([column, given]) => {
    if (given === undefined) return [];
    const current: unknown = Reflect.get(row, column);
    const merged = objects.includes(column) || records.includes(column);
    const wanted = merged ? merge(current, given, records.includes(column)) : given;
    if (records.includes(column)) requireWithinLimits(create, column, wanted);
    if (objects.includes(column) && isPlain(wanted)) requireWhole(create, column, wanted);
    return isDeepStrictEqual(normal(current), normal(wanted)) ? [] : [[column, wanted] as const];
  });
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Row>);
}

function requireWithinLimits(create: z.ZodObject, column: string, value: unknown): void {
  const error = errorOf(create, column, value);
  if (error !== undefined) throw refuseBody(error);
}

/** Members that are present were checked with the body, and may be in another form since. */
function requireWhole(create: z.ZodObject, column: string, value: Plain): void {
  const missing = errorOf(create, column, value)?.issues.filter(({ path: [, member] }) => !(String(member) in value));
  if (missing !== undefined && missing.length > 0) throw refuseBody(new z.ZodError(missing));
}

function errorOf(create: z.ZodObject, column: string, value: unknown): z.ZodError | undefined {
  return z.object({ [column]: create.shape[column] as z.ZodType }).safeParse({ [column]: value }).error;
}

function merge(current: unknown, patch: unknown, removesNull: boolean): unknown {
  if (!isPlain(patch)) return removesNull && patch === null ? {} : patch;
  const merged = { ...(isPlain(current) ? current : {}), ...patch };
  return removesNull ? Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) : merged;
}

/** An object of nulls and null are the same value object. */
function normal(value: unknown): unknown {
  return isPlain(value) && Object.values(value).every((member) => member === null) ? null : value;
}

function isPlain(value: unknown): value is Plain {
  return isObject(value) && !(value instanceof Date);
}
