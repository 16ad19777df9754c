import type { Scope } from '@lyceum/contracts';
import type { ApiError } from '@lyceum/errors';
import type { Page } from '@lyceum/rest';
import type { z } from 'zod';
import type { ActionText, CreateText, Parent, Representation, Services } from './declaration.js';
import type { Created, Written } from './requests.js';

/** Parameters of methods are bivariant, so the functions of a declaration fit, whose parameters are narrower. */
interface Runs<Result> {
  run(service: unknown, request: object): Promise<Result>;
}

/** The words of any operation. */
export interface Words extends CreateText, ActionText {
  readonly body?: z.ZodObject | undefined;
  readonly returns?: Representation<never> | undefined;
}

type List = Words & Runs<Page<object>>;
type Get = Words & Runs<object>;
type Create = Words & Runs<Created<{ readonly id: string }>>;
type BulkOf = Words & { readonly body: z.ZodObject } & Runs<readonly (Created<{ readonly id: string }> | ApiError)[]>;
type Change = Words & Runs<Written<object>>;

/** The operations of any collection. */
export interface DeclaredOperations {
  readonly list?: List;
  readonly get?: Get;
  readonly create?: Create;
  readonly bulk?: Create;
  readonly bulkOf?: BulkOf;
  readonly upsert?: Create;
  readonly update?: Change;
  readonly order?: Change;
  readonly delete?: Change;
  readonly actions?: Readonly<Record<string, Change>>;
  readonly expand?: Readonly<Record<string, Runs<ReadonlyMap<string, unknown>>['run']>>;
}

/** The declaration of any collection. */
export interface Declared extends Representation<never> {
  readonly name: string;
  readonly scope: string;
  readonly service: Services;
  readonly writesByReaders?: boolean;
  readonly description?: string;
  readonly parent?: Parent | undefined;
  readonly singleton?: boolean;
  readonly toolItem?: readonly string[];
  readonly toolMembers?: Readonly<Record<string, { readonly schema: z.ZodType; readonly of: (row: never) => unknown }>>;
  readonly operations: DeclaredOperations;
}

type Kinds = Required<Omit<DeclaredOperations, 'actions' | 'expand'>>;

/** An operation of any kind. */
export type Operation =
  | { [Kind in keyof Kinds]: { readonly kind: Kind } & Kinds[Kind] }[keyof Kinds]
  | ({ readonly kind: 'action'; readonly path: string } & Change);

export type OperationKind = Operation['kind'];

/** A collection as the edges see it. */
export interface CollectionParts extends Omit<Declared, 'operations'> {
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  readonly operations: readonly Operation[];
  readonly expansions: NonNullable<DeclaredOperations['expand']>;
}
