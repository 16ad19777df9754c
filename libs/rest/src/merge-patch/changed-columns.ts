import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { refuseBody } from '../validation/refusal.policy.js';

type Plain = Record<string, unknown>;

/** A patch of a row: of a value object it names some members, or null. */
export type RowPatch<Row> = { readonly [K in keyof Row]?: unknown };

/** Members whose values are merged member by member; others are replaced. `Resource` is one. */
interface Merged {
  /** Objects with known members, of which null is a value. */
  readonly objects: readonly string[];
  /** Objects with any members, of which null removes one. */
  readonly records: readonly string[];
  /** The limits that a record keeps however many patches it gets. */
  readonly create: z.ZodObject;
}

/**
 * JSON Merge Patch (RFC 7396): the columns that get another value, or undefined when the row has all of them already.
 *
 * @throws `validation_failed` for a record that the patch makes too large.
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
    return isDeepStrictEqual(normal(current), normal(wanted)) ? [] : [[column, wanted] as const];
  });
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Row>);
}

function requireWithinLimits(create: z.ZodObject, column: string, value: unknown): void {
  const { error } = z.object({ [column]: create.shape[column] as z.ZodType }).safeParse({ [column]: value });
  if (error !== undefined) throw refuseBody(error);
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
