import type { Republication } from '@lyceum/messaging';
import type { Surface } from '@lyceum/rest';
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, Provider, Type } from '@nestjs/common';
import { controllerOf } from './collection.controller.js';
import { toolsOf } from './collection.tools.js';
import { collectionOf } from './declaration.js';
import type { Collection } from './declaration.js';
import { SiteStores } from './site-stores.js';

interface Publisher {
  republication(): Republication;
}

/** Operations of a collection, with their providers. */
interface CollectionParts {
  /** Classes with `@Collection`. Most collections have one; parts of another collection have none. */
  readonly operations: readonly Type[];
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
  readonly surface: readonly Type[];
  readonly entities: readonly Type[];
  readonly migrations: readonly Type[];
  readonly publisher: Type<Publisher> | undefined;
}

/** The module of a collection: its operations, the services that they call, and both edges. */
export function collectionModule(parts: CollectionParts): CollectionModule {
  const { operations, services, providers = [], imports = [], entities = [], migrations = [], publisher } = parts;
  @Module({})
  class FeatureModule {}
  const value = [...operations, ...services][0]?.name.replace(/Operations|Service/, 'Module');
  Object.defineProperty(FeatureModule, 'name', { value });
  const surface = operations.map((one) => controllerOf(one));
  return {
    module: FeatureModule,
    imports,
    controllers: surface,
    providers: [SiteStores, ...operations, ...operations.map((one) => toolsOf(one)), ...services, ...providers],
    exports: [...services],
    collections: operations.map((one) => collectionOf(one)),
    surface,
    entities,
    migrations,
    publisher,
  };
}

/** The parts of the OpenAPI document that describe the collections. */
export function surfaceOf(modules: readonly CollectionModule[]): Surface {
  const described = modules
    .flatMap(({ collections }) => collections)
    .flatMap(({ name, scope = name, description }) => (description === undefined ? [] : [[scope, description]]));
  return {
    controllers: modules.flatMap(({ surface }) => surface),
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
