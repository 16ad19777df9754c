import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import type { INestApplicationContext, OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.decorators.js';

/** Metadata key of Nest's route handlers, and of @nestjs/graphql's root fields. */
const ROUTE_METHOD = 'method';
const GRAPHQL_OPERATION = 'graphql:resolver_type';
const OPERATIONS = new Set(['Query', 'Mutation', 'Subscription']);

type Method = (...args: unknown[]) => unknown;

function isEndpoint(method: Method): boolean {
  if (Reflect.getMetadata(ROUTE_METHOD, method) !== undefined) return true;
  const operation: unknown = Reflect.getMetadata(GRAPHQL_OPERATION, method);
  return typeof operation === 'string' && OPERATIONS.has(operation);
}

/** Prevents the start of a service with an endpoint that declares no access. */
@Injectable()
export class EndpointWalk implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const bare = this.bare();
    if (bare.length > 0) {
      throw new Error(`Endpoints that declare neither @RequireScopes nor @Open: ${bare.join(', ')}`);
    }
  }

  /** `Class.method` of every endpoint, with or without a declaration. */
  all(): string[] {
    return this.#walk().map(({ name }) => name);
  }

  bare(): string[] {
    return this.#walk()
      .filter(({ targets }) => this.reflector.getAllAndOverride<unknown>(ACCESS, targets) === undefined)
      .map(({ name }) => name);
  }

  #walk(): { name: string; targets: [Method, new (...args: never[]) => unknown] }[] {
    return [...this.discovery.getControllers(), ...this.discovery.getProviders()].flatMap(({ metatype }) => {
      if (typeof metatype !== 'function' || metatype.prototype === undefined) return [];
      const prototype = metatype.prototype as Record<string, Method>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const method = prototype[name];
        if (method === undefined || !isEndpoint(method)) return [];
        return [{ name: `${metatype.name}.${name}`, targets: [method, metatype as new (...args: never[]) => unknown] }];
      });
    });
  }
}

/** Endpoints that declare neither scopes nor `Open`: must be empty. Throws when it finds no endpoints at all. */
export function bareEndpoints(app: INestApplicationContext): string[] {
  const walk = app.get(EndpointWalk);
  if (walk.all().length === 0) throw new Error('The service has no endpoints');
  return walk.bare();
}
