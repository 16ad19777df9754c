import type { DynamicModule, Type } from '@nestjs/common';
import { methodsOf, readModelOf, readerOf } from './consumes.decorator.js';
import type { DeclaredConsumer } from './consumes.decorator.js';

/** All consumers that a module and its imports declare, without creating an instance. */
export function declaredConsumers(module: DynamicModule | Type): DeclaredConsumer[] {
  return [...providersOf(module)].flatMap(consumersOf);
}

/** The `@ReadModel` classes among those providers, by name. */
export function declaredReadModels(module: DynamicModule | Type): ReadonlyMap<string, Type> {
  const models = new Map<string, Type>();
  for (const provider of providersOf(module)) {
    const name = readModelOf(provider);
    if (name === undefined) continue;
    if (models.has(name)) throw new Error(`Two classes are the read model "${name}"`);
    models.set(name, provider);
  }
  return models;
}

/** The consumers that a class declares. */
function consumersOf(type: Type): DeclaredConsumer[] {
  return methodsOf(type.prototype).flatMap((method) => readerOf(method) ?? []);
}

function providersOf(root: unknown, seen = new Set<unknown>()): Set<Type> {
  const providers = new Set<Type>();
  if (seen.has(root)) return providers;
  seen.add(root);
  const { module, ...dynamic } = isDynamic(root) ? root : { module: root as Type };
  const listed = (key: 'imports' | 'providers'): unknown[] => [
    ...((Reflect.getMetadata(key, module) as unknown[] | undefined) ?? []),
    ...((dynamic as Partial<DynamicModule>)[key] ?? []),
  ];
  for (const provider of listed('providers')) if (isClass(provider)) providers.add(provider);
  for (const imported of listed('imports')) for (const one of providersOf(imported, seen)) providers.add(one);
  return providers;
}

const isClass = (value: unknown): value is Type => typeof value === 'function';
const isDynamic = (value: unknown): value is DynamicModule =>
  typeof value === 'object' && value !== null && 'module' in value;
