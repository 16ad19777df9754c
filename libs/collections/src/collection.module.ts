import type { Republication } from '@lyceum/messaging';
import { BulkWrites, IdempotentWrites, ServedRoutes } from '@lyceum/rest';
import type { Route, Surface } from '@lyceum/rest';
import { ServedTools } from '@lyceum/tools';
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, Provider, Type } from '@nestjs/common';
import type { Collection } from './collection.js';
import type { Edge } from './edge.js';
import { SiteStores } from './site-stores.js';

interface Publisher {
  republication(): Republication;
}

/** Operations of a collection, with their providers. */
interface CollectionParts {
  /** Most modules have one collection; parts of another collection have none. */
  readonly operations: readonly Collection[];
  /** Services, which other features may use. */
  readonly services: readonly Type[];
  readonly providers?: readonly Provider[];
  readonly imports?: DynamicModule['imports'];
  readonly entities?: readonly Type[];
  /** Migrations of its tables, by the time in their names. */
  readonly migrations?: readonly Type[];
  /** The service that can publish all rows again. */
  readonly publisher?: Type<Publisher>;
}

/** A collection in the application: its Nest module, and the declarations that the service needs of it. */
export interface CollectionModule extends DynamicModule {
  readonly collections: readonly Collection[];
  /** The routes of the collections, and others that the module has. */
  readonly routes: readonly Route[];
  readonly entities: readonly Type[];
  readonly migrations: readonly Type[];
  readonly publisher: Type<Publisher> | undefined;
}

/** The module of a collection: its operations, the services that they call, and both edges. */
export function collectionModule(parts: CollectionParts): CollectionModule {
  const { operations, services, providers = [], imports = [], entities = [], migrations = [], publisher } = parts;
  @Module({})
  class FeatureModule {}
  Object.defineProperty(FeatureModule, 'name', {
    value: `CollectionModule(${operations.map(({ name }) => name).join()})`,
  });
  return {
    module: FeatureModule,
    imports,
    providers: [SiteStores, ...operations.flatMap((one) => edgeOf(one)), ...services, ...providers],
    exports: [...services],
    collections: operations,
    routes: operations.flatMap(({ routes }) => routes),
    entities,
    migrations,
    publisher,
  };
}

/** Serves the routes and the tools by the services that they call. */
function edgeOf({ name, service, routes, tools }: Collection): Provider[] {
  const edge = Symbol(`${name}: edge`);
  const services = [service].flat();
  return [
    {
      provide: edge,
      inject: [IdempotentWrites, BulkWrites, ...services],
      useFactory: (writes: IdempotentWrites, bulkWrites: BulkWrites, ...instances: readonly object[]): Edge => ({
        service: Array.isArray(service) ? instances : instances[0],
        writes,
        bulkWrites,
      }),
    },
    {
      provide: Symbol(`${name}: routes`),
      inject: [edge],
      useFactory: (dependencies: Edge) => new ServedRoutes(routes, dependencies),
    },
    {
      provide: Symbol(`${name}: tools`),
      inject: [edge],
      useFactory: (dependencies: Edge) =>
        new ServedTools(
          tools.map(({ declaration, respond }) => ({ declaration, call: (call) => respond(dependencies, call) })),
        ),
    },
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
  return modules.flatMap(({ publisher }) =>
    publisher === undefined ? [] : [context.get(publisher, { strict: false }).republication()],
  );
}
