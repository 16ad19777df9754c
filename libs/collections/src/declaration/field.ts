import { patchOf, withDescription, withoutLimits } from '@lyceum/rest';
import { z } from 'zod';

/**
 * Decides who sets a member. `editable`: callers, at creation and in a patch. `fixed`: callers, at creation only.
 * `readOnly`: the service.
 */
type Access = 'editable' | 'fixed' | 'readOnly';

/** One member of a resource: the schema of what callers send, which is also the type of what they get. */
export interface Field<
  Schema extends z.ZodType = z.ZodType,
  A extends Access = Access,
  Defaulted extends boolean = boolean,
> {
  readonly access: A;
  readonly schema: Schema;
  /** The value at a creation that leaves it out; empty: a creation must name it. */
  readonly byDefault: readonly unknown[] & { readonly defaulted?: Defaulted };
}

export type Fields = Readonly<Record<string, Field>>;

function declare<A extends Access>(access: A) {
  return <S extends z.ZodType, D extends [] | [z.input<S>]>(
    schema: S,
    ...byDefault: D
  ): Field<S, A, D extends [] ? false : true> => ({ access, schema, byDefault });
}

/** Set at creation and by patches. With a second argument, a creation may leave it out. */
export const editable = declare('editable');

/** Set at creation, and never changed by a patch. */
export const fixed = declare('fixed');

/** Set by the service. The schema is that of responses. */
export const readOnly = declare('readOnly');

/** A value of JSON: instants are text. */
type JsonValue<T> = T extends Date ? string : T extends readonly (infer Item)[] ? JsonValue<Item>[] : T;

/** A value of a JSON Merge Patch (RFC 7396): an object names only the members that change. */
type PatchValue<T> = T extends Date | readonly unknown[] ? T : T extends object ? Partial<T> : T;

export type CreateShape<F extends Fields> = {
  [K in keyof F as F[K]['access'] extends 'readOnly' ? never : K]: F[K] extends Field<z.ZodType, Access, true>
    ? z.ZodPrefault<F[K]['schema']>
    : F[K]['schema'];
};
export type PatchShape<F extends Fields> = {
  [K in keyof F as F[K]['access'] extends 'editable' ? K : never]: z.ZodOptional<
    z.ZodType<PatchValue<z.output<F[K]['schema']>>>
  >;
};
export type ObjectShape<F extends Fields> = {
  [K in keyof F]: z.ZodType<JsonValue<z.output<F[K]['schema']>>>;
};

export function createShape<F extends Fields>(fields: F): CreateShape<F> {
  const sent = Object.entries(fields).filter(([, { access }]) => access !== 'readOnly');
  return Object.fromEntries(
    sent.map(([name, { schema, byDefault }]) => [
      name,
      byDefault.length === 0 ? schema : withDescription(schema, schema.prefault(byDefault[0])),
    ]),
  ) as CreateShape<F>;
}

export function patchShape<F extends Fields>(fields: F): PatchShape<F> {
  const sent = Object.entries(fields).filter(([, { access }]) => access === 'editable');
  return Object.fromEntries(
    sent.map(([name, { schema, byDefault }]) => [
      name,
      withDescription(schema, patchOf(schema, byDefault[0]).optional()),
    ]),
  ) as PatchShape<F>;
}

export function objectShape<F extends Fields>(fields: F): ObjectShape<F> {
  const members = Object.entries(fields);
  return Object.fromEntries(
    members.map(([name, { access, schema }]) => [name, access === 'readOnly' ? schema : withoutLimits(schema)]),
  ) as ObjectShape<F>;
}

/** Values of the members that a creation may leave out. */
export function defaultsOf(fields: Fields): object {
  const entries = Object.entries(fields).filter(([, { byDefault }]) => byDefault.length > 0);
  return Object.fromEntries(entries.map(([name, { byDefault }]) => [name, byDefault[0]]));
}

/** Names of the members that a creation must have. */
export function requiredOf(fields: Fields): string[] {
  return Object.keys(fields).filter(
    (name) => fields[name]?.access !== 'readOnly' && fields[name]?.byDefault.length === 0,
  );
}

/** Members whose values a patch merges, by the way in which it does: see `changedColumns`. */
export function mergedMembers(fields: Fields): { readonly objects: string[]; readonly records: string[] } {
  const named = (type: typeof z.ZodObject | typeof z.ZodRecord): string[] =>
    Object.keys(fields).filter((name) => bare(fields[name]?.schema) instanceof type);
  return { objects: named(z.ZodObject), records: named(z.ZodRecord) };
}

function bare(schema: unknown): unknown {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodDefault ? bare(schema.unwrap()) : schema;
}
