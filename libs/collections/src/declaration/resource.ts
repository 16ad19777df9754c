import type { Scope, SharedType } from '@lyceum/contracts';
import {
  fieldsParameter,
  instantOut,
  listQuery,
  metadataFilter,
  pageOf,
  parameterOf,
  rangeFilters,
  searchText,
  withDescription,
  withLazy,
} from '@lyceum/rest';
import type { ListQuery, OneOrMore, PageSchema } from '@lyceum/rest';
import { z } from 'zod';
import { createShape, defaultsOf, mergedMembers, objectShape, patchShape, readOnly, requiredOf } from './field.js';
import type { CreateShape, Fields, ObjectShape, PatchShape } from './field.js';

type Shape = z.core.$ZodShape;
type None = Record<never, never>;

/** Members that objects of the API have, unless their resource names some of them. */
const COMMON = { id: readOnly(z.uuid()), created_at: readOnly(instantOut), updated_at: readOnly(instantOut) };
type Common = typeof COMMON;

const INSTANT = '2026-11-20T08:00:00.000Z';
const COMMON_EXAMPLE = { id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90', created_at: INSTANT, updated_at: INSTANT };

/** Members that one request can expand. */
export const MAX_EXPANSIONS = 3;

/** A member that a caller asks for by `expand`: objects of another resource, which needs its read scope. */
interface Expansion {
  readonly schema: z.ZodType;
  readonly scope: Scope;
}

interface Search {
  /** SQL text expression of the table. An index has its `search_key`. */
  readonly text: string;
  /** The same for people: `name, subtitle or slug`. */
  readonly in: string;
}

/** Members that are named as their columns. */
type Named<F, O> = keyof NoInfer<F & O & Common> & string;
type Sort<Name extends string> = Name | `-${Name}`;

interface ResourceDeclaration<F extends Fields, Filters extends Shape, C extends Shape, P extends Shape, K, O, D> {
  /** Name of one object in messages, such as `digital product`. */
  readonly one: string;
  /** Its type in the member API, whose ids have a prefix. Requests may name objects by both forms. */
  readonly memberType?: SharedType;
  /** Members beside `common`. */
  readonly fields: F;
  /** Which of `id`, `created_at` and `updated_at` the objects have. Default: all. Settings have no id. */
  readonly common?: readonly K[];
  /** Members that lists leave out. Tools cut those whose names end in `_html`. */
  readonly details?: readonly (D & keyof F & string)[];
  /** Members of the object, of a creation and of a patch that do not follow from the fields. */
  readonly object?: O;
  readonly create?: C;
  readonly patch?: P;
  /** Columns that a list can be sorted by, each in the direction that comes first. The first is the default. */
  readonly sorts?: readonly [Sort<Named<F, O>>, ...Sort<Named<F, O>>[]];
  /** Filters by equality. The name is that of the column. */
  readonly filters?: Filters;
  readonly search?: Search;
  /** Instants that lists can be filtered by, as `created_at[gte]`. */
  readonly ranges?: readonly Named<F, O>[];
  readonly expand?: Readonly<Record<string, Expansion>>;
  /**
   * The object may lack the id, the instants and members with a default. Without `create`, the example of a creation
   * has the members that it must name, as the object has them.
   */
  readonly examples: { readonly object: object; readonly create?: object; readonly patch?: object };
}

/** A resource as declarations, the edges and the store see it. */
export interface ResourceParts {
  /** The name of the OpenAPI component: `Course`. */
  readonly name: string;
  readonly one: string;
  readonly memberType: SharedType | undefined;
  readonly details: readonly string[];
  /** Default order of a list. */
  readonly defaultSort: string;
  readonly filters: readonly string[];
  /** The filters as arguments of a tool. */
  readonly toolFilters: z.ZodRawShape;
  readonly ranges: readonly string[];
  readonly search: Search | undefined;
  readonly expand: Readonly<Record<string, Expansion>>;
  readonly filterSchemas: Shape;
  /** Members that a patch merges: see `changedColumns`. */
  readonly objects: readonly string[];
  readonly records: readonly string[];
  readonly object: z.ZodObject;
  readonly summary: z.ZodObject;
  readonly list: z.ZodObject;
  readonly getQuery: z.ZodObject;
  readonly listQuery: z.ZodObject;
  readonly create: z.ZodObject;
  readonly patch: z.ZodObject;
}

/** A resource of the API: what its objects look like, and what callers send, all derived from its fields. */
interface Resource<
  F extends Fields,
  Filters extends Shape,
  C extends Shape,
  P extends Shape,
  O extends Shape,
  D extends string,
> extends ResourceParts {
  readonly details: readonly D[];
  readonly filterSchemas: Filters;
  readonly object: z.ZodObject<z.core.util.Extend<ObjectShape<F>, O>>;
  readonly list: PageSchema<z.ZodObject<z.core.util.Extend<ObjectShape<F>, O>>>;
  readonly create: z.ZodObject<z.core.util.Extend<CreateShape<F>, C>>;
  readonly patch: z.ZodObject<z.core.util.Extend<PatchShape<F>, P>>;
}

export type ObjectOf<R extends Pick<ResourceParts, 'object'>> = z.infer<R['object']>;
export type CreateOf<R extends Pick<ResourceParts, 'create'>> = z.infer<R['create']>;
export type PatchOf<R extends Pick<ResourceParts, 'patch'>> = z.infer<R['patch']>;
export type ListQueryOf<R extends Pick<ResourceParts, 'filterSchemas'>> = ListQuery & {
  readonly [K in keyof R['filterSchemas']]?: Filter<K, z.output<R['filterSchemas'][K]>> | undefined;
} & { readonly q?: string | undefined };

/** Lists take several states. */
type Filter<Name, Value> = Name extends 'state' ? OneOrMore<Value> : Value;

export function resource<
  F extends Fields,
  Filters extends Shape = None,
  C extends Shape = None,
  P extends Shape = None,
  K extends keyof Common = keyof Common,
  O extends Shape = None,
  const D extends string = never,
>(
  name: string,
  declaration: ResourceDeclaration<F, Filters, C, P, K, O, D>,
): Resource<F & Pick<Common, K>, Filters, C, P, O, D> {
  const {
    one,
    memberType,
    fields,
    common = Object.keys(COMMON) as K[],
    details = [],
    sorts = ['-created_at'],
    filters = {},
    search,
    ranges = ['created_at'],
    expand = {},
    examples,
  } = declaration;
  const { id, ...times } = Object.fromEntries(common.map((member) => [member, COMMON[member]]));
  const expanded = mapped(expand, ({ schema }) => schema.optional());
  const members = { ...objectShape({ ...(id && { id }), ...fields, ...times }), ...declaration.object, ...expanded };
  const shown = { ...COMMON_EXAMPLE, ...defaultsOf(fields), ...examples.object };
  const example = picked(shown, Object.keys({ ...examples.object, ...members }));
  const object = z.object(members).meta({ id: name, examples: [example] });
  const left: readonly string[] = details;
  const listed = Object.entries(members).filter(([member]) => !left.includes(member));
  const summary = details.length === 0 ? object : z.object(Object.fromEntries(listed)).meta({ id: `${name}Summary` });
  const parts = {
    name,
    one,
    memberType,
    details,
    defaultSort: sorts[0],
    ranges,
    search,
    expand,
    filters: Object.keys(filters),
    filterSchemas: filters,
    ...mergedMembers(fields),
    object,
    summary,
  };
  // The shapes follow from the fields, which the compiler cannot see.
  return withLazy(parts, {
    list: () => pageOf(`${name}List`, summary),
    create: () =>
      z
        .strictObject({ ...createShape(fields), ...declaration.create })
        .meta({ id: `${name}Create`, examples: [examples.create ?? picked(examples.object, requiredOf(fields))] }),
    patch: () =>
      z
        .strictObject({ ...patchShape(fields), ...declaration.patch })
        .meta({ id: `${name}Patch`, examples: [examples.patch ?? {}] }),
    ...parametersOf(parts, sorts),
  }) as ResourceParts as Resource<F & Pick<Common, K>, Filters, C, P, O, D>;
}

type Parameters = 'object' | 'summary' | 'expand' | 'ranges' | 'search' | 'filterSchemas';

/** The schemas of the parameters of requests, and of the arguments of a tool. */
function parametersOf(parts: Pick<ResourceParts, Parameters>, sorts: readonly string[]) {
  const { object, summary, expand, ranges, search } = parts;
  const namesOf = (from: z.ZodObject) => Object.keys(from.shape).filter((member) => !(member in expand)) as [string];
  const expansions = (): z.ZodRawShape => expandParameter(Object.keys(expand));
  const q = search && { q: searchText.optional().meta({ description: `Words that all occur in the ${search.in}` }) };
  const filtersOf = (make: (schema: z.ZodType, name: string) => z.ZodType) =>
    mapped(parts.filterSchemas as Record<string, z.ZodType>, (schema, name) =>
      withDescription(schema, make(schema, name).optional().meta({ description: 'Only objects with this value' })),
    );
  return {
    toolFilters: (): z.ZodRawShape => ({ ...q, ...filtersOf((schema) => schema) }),
    getQuery: () => z.strictObject({ fields: fieldsParameter(namesOf(object)), ...expansions() }),
    listQuery: () =>
      listQuery({
        sorts: sorts.flatMap((sort) => [sort, opposite(sort)]) as [string],
        fields: namesOf(summary),
        filters: {
          ...filtersOf(parameterOf),
          ...q,
          ...('metadata' in object.shape && { metadata: metadataFilter }),
          ...rangeFilters(ranges),
          ...expansions(),
        },
      }),
  };
}

/** The object of a resource as writes return it. */
export function withoutExpansions({ object, expand }: ResourceParts): z.ZodObject {
  return object.omit(Object.fromEntries(Object.keys(expand).map((member) => [member, true])) as never);
}

function opposite(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
}

function picked(values: object, names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, Reflect.get(values, name)]));
}

function mapped<T>(from: Readonly<Record<string, T>>, make: (value: T, name: string) => z.ZodType): z.ZodRawShape {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, make(value, name)]));
}

function expandParameter(names: readonly string[]): z.ZodRawShape {
  const list = z.array(z.enum(names)).min(1).max(MAX_EXPANSIONS);
  const expand = z
    .string()
    .transform((value) => value.split(','))
    .pipe(list)
    .optional();
  const description = 'Objects of other resources that each object carries, separated by commas';
  return names.length === 0 ? {} : { expand: expand.meta({ description }) };
}
