import { readScopeOf } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { copyOf, requireNotice, withLazy } from '@lyceum/rest';
import type { Route } from '@lyceum/rest';
import { KINDS, routeOf } from './edges/collection.routes.js';
import { toolOf, withToolMembers } from './edges/collection.tools.js';
import type { CollectionTool } from './edges/collection.tools.js';
import { requireDeclared } from './declaration/declaration.checks.js';
import type { CollectionDeclaration, Parent, Services } from './declaration/declaration.js';
import type { CollectionParts, Declared, Operation, OperationKind } from './declaration/declared.js';
import { snake } from './declaration/names.js';
import type { ResourceParts } from './declaration/resource.js';

/** A collection: its declaration with its services, and the routes and tools that follow from it. */
export interface Collection<T extends Services = Services> extends CollectionParts {
  readonly declared: Declared & { readonly service: T };
  readonly routes: readonly Route[];
  readonly tools: readonly CollectionTool[];
}

/** Declares a collection, whose operations return rows. Routes, OpenAPI entries and tools derive from it. */
export function collection<
  Row extends object,
  const T extends Services,
  R extends ResourceParts,
  Above extends Parent | undefined = undefined,
  Single extends boolean = false,
  ToolMember extends string = never,
  Actions = Record<never, never>,
  Ordered = undefined,
  Item = undefined,
>(declaration: CollectionDeclaration<Row, T, R, Above, Single, ToolMember, Actions, Ordered, Item>): Collection<T>;
export function collection(declaration: Declared): Collection {
  return collectionFrom(declaration);
}

/** The same for a declaration that is made at run time, such as a variant of another one. */
export function collectionFrom(declared: Declared): Collection {
  const { scope, writesByReaders, operations, ...shared } = declared;
  requireDeclared(declared);
  const [read, write] = [readScopeOf(`${scope}:write`) as Scope, `${scope}:write` as Scope];
  const parts: CollectionParts = {
    ...shared,
    scope,
    resource: withoutFilterBy(declared.parent, declared.resource),
    scopes: { read, write: writesByReaders === true ? read : write },
    operations: operationsOf(operations),
    expansions: operations.expand ?? {},
  };
  const shownByTools = withToolMembers(parts);
  const routes = parts.operations.map((operation) => routeOf(parts, operation));
  requireNotice(routes);
  return {
    ...parts,
    declared,
    routes,
    tools: parts.operations.flatMap((operation) => toolOf(shownByTools, operation) ?? []),
  };
}

function operationsOf({ actions = {}, ...declared }: Declared['operations']): Operation[] {
  const moves = Object.entries(actions).map(([path, action]) => ({ kind: 'action' as const, path, ...action }));
  return (Object.keys(KINDS) as OperationKind[]).flatMap((kind) => {
    if (kind === 'action') return moves;
    // The compiler does not see that the value of a key has its kind.
    return declared[kind] ? [{ kind, ...declared[kind] } as Operation] : [];
  });
}

/** The path of a list below another object says already whose objects it shows. */
function withoutFilterBy(parent: Parent | undefined, resource: ResourceParts): ResourceParts {
  const filter = `${snake(parent?.one ?? '')}_id`;
  if (!resource.filters.includes(filter)) return resource;
  const filters = resource.filters.filter((name) => name !== filter);
  return withLazy(copyOf(resource, { filters }), {
    toolFilters: () => Object.fromEntries(Object.entries(resource.toolFilters).filter(([name]) => name !== filter)),
    listQuery: () => resource.listQuery.omit({ [filter]: true } as never),
  });
}
