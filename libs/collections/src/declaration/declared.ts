import type { Scope } from '@lyceum/contracts';
import type { ApiError } from '@lyceum/errors';
import type { Page } from '@lyceum/rest';
import type { z } from 'zod';
import type { ActionText, CreateText, Facts, Parent, Representation, Services } from './declaration.js';
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

interface Identified {
  readonly id: string;
}

type Creation = Words & Runs<Created<Identified>>;
type Change = Words & Runs<Written<object>>;

/** Operations by kind. */
interface Kinds {
  readonly list: Words & Runs<Page<object>>;
  readonly get: Words & Runs<object>;
  readonly create: Creation;
  readonly bulk: Words & { readonly body: z.ZodObject } & Runs<readonly (Created<Identified> | ApiError)[]>;
  readonly upsert: Creation;
  readonly update: Change;
  readonly delete: Change;
  readonly order: Change;
}

/** The operations of any collection. */
interface DeclaredOperations extends Partial<Kinds> {
  readonly actions?: Readonly<Record<string, Change>>;
  readonly expand?: Readonly<Record<string, Runs<ReadonlyMap<string, unknown>>['run']>>;
}

/** An operation of any kind. */
export type Operation =
  | { [Kind in keyof Kinds]: { readonly kind: Kind } & Kinds[Kind] }[keyof Kinds]
  | ({ readonly kind: 'action'; readonly path: string } & Change);

export type OperationKind = Operation['kind'];

/** The declaration of any collection. */
export interface Declared extends Representation<never>, Facts {
  readonly scope: string;
  readonly service: Services;
  /** The class of the rows, if they have one. */
  readonly row?: unknown;
  readonly parent?: Parent | undefined;
  readonly singleton?: boolean;
  readonly toolItem?: readonly string[];
  readonly toolMembers?: Readonly<Record<string, { readonly schema: z.ZodType; readonly of: (row: never) => unknown }>>;
  readonly operations: DeclaredOperations;
}

/** A collection as the edges see it. */
export interface CollectionParts extends Omit<Declared, 'operations'> {
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  readonly operations: readonly Operation[];
  readonly expansions: NonNullable<DeclaredOperations['expand']>;
}
