import type { Republication } from '@lyceum/messaging';
import { BulkWrites, IdempotentWrites, ServedRoutes } from '@lyceum/rest';
import type { Route, Surface } from '@lyceum/rest';
import { ServedTools } from '@lyceum/tools';
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, Provider, Type } from '@nestjs/common';
import type { Collection } from './collection.js';
import type { Edge } from './edges/edge.js';
import { SiteStores } from './store/site-stores.js';

interface Publisher {
  republication(): Republication;
}

/** Operations of a collection, with their providers. */
interface CollectionParts {
  /** Most modules have one collection; parts of another collection have none. */
  readonly operations: readonly Collection[];
  /** Services, which other features may use. Default: those of the operations. */
  readonly services?: readonly Type[];
  readonly providers?: readonly Provider[];
  readonly imports?: DynamicModule['imports'];
  /** Default: the rows of the operations, if they have a class. */
  readonly entities?: readonly Type[];
  /** Migrations of its tables, by the time in their names. */
  readonly migrations?: readonly Type[];
}

/** A collection in the application: its Nest module, and the declarations that the service needs of it. */
export interface CollectionModule extends DynamicModule {
  readonly collections: readonly Collection[];
  /** The routes of the collections, and others that the module has. */
  readonly routes: readonly Route[];
  readonly services: readonly Type[];
  readonly entities: readonly Type[];
  readonly migrations: readonly Type[];
}

/** The module of a collection: its operations, the services that they call, and both edges. */
export function collectionModule(parts: CollectionParts): CollectionModule {
  const { operations, providers = [], imports = [], migrations = [] } = parts;
  const { services = classesIn(operations.flatMap(({ service }) => service)) } = parts;
  const { entities = classesIn(operations.map(({ row }) => row)) } = parts;
  @Module({})
  class FeatureModule {}
  Object.defineProperty(FeatureModule, 'name', {
    value: `CollectionModule(${operations.map(({ name }) => name).join()})`,
  });
  return {
    module: FeatureModule,
    imports,
    providers: [SiteStores, ...operations.flatMap((one) => edgesOf(one)), ...services, ...providers],
    exports: [...services],
    services,
    collections: operations,
    routes: operations.flatMap(({ routes }) => routes),
    entities,
    migrations,
  };
}

function classesIn(values: readonly unknown[]): readonly Type[] {
  return [...new Set(values)].filter((value): value is Type => typeof value === 'function');
}

/** Serves the routes and the tools by the services that they call. */
function edgesOf({ name, service, routes, tools }: Collection): Provider[] {
  const provide = (edge: string, serve: (dependencies: Edge) => object): Provider => ({
    provide: Symbol(`${name}: ${edge}`),
    inject: [IdempotentWrites, BulkWrites, ...[service].flat()],
    useFactory: (writes: IdempotentWrites, bulkWrites: BulkWrites, ...services: readonly object[]) =>
      serve({ service: Array.isArray(service) ? services : services[0], writes, bulkWrites }),
  });
  const toolsFor = (edge: Edge) =>
    tools.map(({ declaration, respond }) => ({
      declaration,
      call: (call: Parameters<typeof respond>[1]) => respond(edge, call),
    }));
  return [
    provide('routes', (edge) => new ServedRoutes(routes, edge)),
    provide('tools', (edge) => new ServedTools(toolsFor(edge))),
  ];
}

/** The parts of the OpenAPI document that describe the collections. */
export function surfaceOf(modules: readonly CollectionModule[]): Surface {
  const described = modules
    .flatMap(({ collections }) => collections)
    .flatMap(({ scope, description }) => (description === undefined ? [] : [[scope, description]]));
  return {
    routes: modules.flatMap(({ routes }) => routes),
    tags: Object.fromEntries(described) as Record<string, string>,
  };
}

/** The rows that consumers rebuild their read models from, in the order of the list. */
export function republicationsOf(
  modules: readonly CollectionModule[],
  context: INestApplicationContext,
): readonly Republication[] {
  const publishers = modules.flatMap(({ services }) => services.filter(isPublisher));
  return publishers.map((publisher) => context.get(publisher, { strict: false }).republication());
}

function isPublisher(service: Type): service is Type<Publisher> {
  return 'republication' in (service.prototype as object);
}
