import { ANY_PARENT, collectionFrom } from '@lyceum/collections';
import type { Caller, Collection } from '@lyceum/collections';
import { copyOf, idIn, withLazy } from '@lyceum/rest';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';

type Declared = Collection['declared'];
type Operations = Declared['operations'];

interface Request {
  readonly principal: Caller;
  readonly id: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly tx?: EntityManager;
}

/** A service that finds an object by its id alone. */
interface Finder {
  get(caller: Caller, id: string, of: object, tx?: EntityManager): Promise<object>;
}

type FinderClass = abstract new (...parameters: never[]) => Finder;

interface FlatPath {
  /** Name of the collection without its parent. */
  readonly name: string;
  /** Member of the objects with the id of the parent, which a creation names. */
  readonly above: string;
  /** Describes that member in the body of a creation. */
  readonly aboveText: string;
  /** Actions, and `update` and `delete`, that lock the parent before the object. Their parent is looked up first. */
  readonly parentFirst?: readonly string[];
  /** The creation at this path. Absent: it has none. */
  readonly create?: { readonly id: string; readonly summary: string };
}

/**
 * The operations on single objects of a collection, at a path without the parent. They do what the operations below the
 * parent do, and read the object once. A list stays below the parent.
 */
export function flatCollection({ declared }: Collection<FinderClass>, flat: FlatPath): Collection {
  const { parent: _parent, toolItem: _items, toolMembers: _members, description: _tag, ...shared } = declared;
  const { resource, operations } = declared;
  return collectionFrom({
    ...shared,
    name: flat.name,
    resource: flat.create ? withLazy(copyOf(resource), { create: () => newObject(resource, flat) }) : resource,
    operations: flatOperations(operations, flat),
  });
}

/** The body of a creation, with the id of the parent. */
function newObject({ name, object, create }: Declared['resource'], { above, aboveText }: FlatPath): z.ZodObject {
  const example = Object.assign({ [above]: Reflect.get(exampleOf(object), above) as unknown }, exampleOf(create));
  return create
    .extend({ [above]: idIn.meta({ description: aboveText }) })
    .meta({ id: `New${name}`, examples: [example] });
}

function exampleOf(schema: z.ZodObject): object {
  return (schema.meta()?.['examples'] as readonly object[] | undefined)?.[0] ?? {};
}

function flatOperations(
  { get, create, update, actions = {}, delete: removal }: Operations,
  flat: FlatPath,
): Operations {
  const byId = <O extends { readonly id: string; readonly summary: string }>(operation: O): O => ({
    ...words(operation),
    id: `${operation.id}ById`,
    summary: `${operation.summary}, by its id`,
  });
  const found = (service: Finder, { principal, id, tx }: Request): Promise<object> =>
    service.get(principal, id, {}, tx);
  const within = async (service: Finder, request: Request): Promise<object> => ({
    ...request,
    parent_id: String(Reflect.get(await found(service, request), flat.above)),
  });
  const change = (operation: NonNullable<Operations['update']>, name: string): NonNullable<Operations['update']> => ({
    ...byId(operation),
    run: flat.parentFirst?.includes(name)
      ? async (service: Finder, request: Request) => operation.run(service, await within(service, request))
      : (service, request) => operation.run(service, { ...request, parent_id: ANY_PARENT }),
  });
  return {
    ...(get && { get: { ...byId(get), run: found } }),
    ...(create && flat.create && { create: flatCreation(create, flat.create, flat.above) }),
    ...(update && { update: change(update, 'update') }),
    actions: Object.fromEntries(Object.entries(actions).map(([path, action]) => [path, change(action, path)])),
    ...(removal && { delete: change(removal, 'delete') }),
  };
}

function flatCreation(
  operation: NonNullable<Operations['create']>,
  { id, summary }: NonNullable<FlatPath['create']>,
  above: string,
): NonNullable<Operations['create']> {
  const { problems = [], knownBy } = operation;
  return {
    ...words(operation),
    id,
    summary,
    problems: [...new Set([...problems, 'not_found' as const])],
    ...(knownBy && { knownBy: [...knownBy, above] }),
    run: (service, request: Request) => {
      const { [above]: parent_id, ...body } = request.body ?? {};
      return operation.run(service, { ...request, parent_id, body });
    },
  };
}

/** The collection below the parent has the tools. */
function words<O extends object>(operation: O): O {
  const { tool: _tool, ...rest } = operation as O & { readonly tool?: unknown };
  return rest as O;
}
