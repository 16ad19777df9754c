import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** A part of the work of a service. A replica without a role does all of it. */
export type Role = 'http' | 'background';

const ROLE = Symbol('role');
/** Hooks of Nest that begin the work of a provider. */
const HOOKS = ['onModuleInit', 'onApplicationBootstrap'];
const FLAG = '--role=';
const HTTP = 'http';

const belongsTo = (role: Role) => (): ClassDecorator => (target) => Reflect.defineMetadata(ROLE, role, target);

/**
 * The class and its subclasses begin no work in replicas that serve requests alone. For consumers, workers of jobs and
 * periodic tasks. A class without a role works in all replicas.
 */
export const RunsInBackground = belongsTo('background');

/** The class and its subclasses begin no work in replicas for the background. For requests that come over NATS. */
export const ServesRequests = belongsTo('http');

/** Prevents the start of the work that belongs to another role. Call it before `init`. */
export function leaveOutOtherRoles(app: INestApplicationContext, role: Role): void {
  for (const { providers } of app.get(ModulesContainer).values()) {
    for (const { instance } of providers.values()) {
      const own = roleOf(instance);
      if (own === undefined || own === role) continue;
      for (const hook of HOOKS) Object.defineProperty(instance, hook, { value: undefined });
    }
  }
}

function roleOf(instance: unknown): Role | undefined {
  if (typeof instance !== 'object' || instance === null) return undefined;
  return Reflect.getMetadata(ROLE, instance.constructor) as Role | undefined;
}

/**
 * The role that the arguments of `serve` name: none, `--role=http`, or the service's own name of the background.
 *
 * @throws Error for other arguments
 */
export function parseRole(args: readonly string[], background: string | undefined): Role | undefined {
  const [arg, ...others] = args;
  if (arg === undefined) return undefined;
  if (background !== undefined && others.length === 0) {
    if (arg === `${FLAG}${HTTP}`) return 'http';
    if (arg === `${FLAG}${background}`) return 'background';
  }
  const known = background === undefined ? 'no options' : `${FLAG}${HTTP} or ${FLAG}${background}`;
  throw new Error(`serve takes ${known}`);
}
