import type { Type } from '@nestjs/common';
import { streamKeeping } from '@lyceum/contracts';
import type { EntityEvents, StreamName } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { EventOf } from './event-handler.js';

/**
 * The table that a consumer maintains. Its method writes only to this table, named without its schema, and only newer
 * states.
 */
export interface ReadModelTable {
  readonly table: string;
  /**
   * Columns that no event has, with SQL for a restored row (`s` is the event's row). Existing rows keep their value.
   */
  readonly own?: Readonly<Record<string, string>>;
}

/** One consumer of events as its method declares it. */
export interface DeclaredConsumer {
  /** Unique in the service; part of the durable consumer's name and of the inbox's key. Never rename it. */
  readonly reader: string;
  readonly stream: StreamName;
  readonly events: readonly EntityEvents[];
  /** The method takes one event, not a batch. */
  readonly each: boolean;
  readonly keeps?: ReadModelTable;
}

type ListOf<E> = E extends readonly EntityEvents[] ? E : E extends EntityEvents ? readonly [E] : never;
type Batch<E> = (events: readonly EventOf<ListOf<E>>[], tx: EntityManager) => Promise<void>;
type Single<E> = (event: EventOf<ListOf<E>>, tx: EntityManager) => Promise<void>;
type Declares<Method> = <M extends Method>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

const READS = 'lyceum:reads';
const WRAPS = 'lyceum:wraps';
const READ_MODEL = 'lyceum:read-model';

/**
 * Makes a method of a provider the consumer of these events: it gets them in batches, each event once, in a transaction
 * that records them as applied. With `keeps`, in a class with `@ReadModel`, the table can be rebuilt from the stream.
 * The consumer also needs a duty in libs/contracts, which defines its durable consumer and its permissions on NATS.
 */
export function Consumes<const E extends EntityEvents | readonly EntityEvents[]>(
  events: E,
  reader: string,
  keeps?: ReadModelTable,
): Declares<Batch<E>> {
  return declare(events, { reader, each: false, ...(keeps === undefined ? {} : { keeps }) });
}

/** Like `Consumes`, for a method that takes one event at a time. */
export function ConsumesEach<const E extends EntityEvents | readonly EntityEvents[]>(
  events: E,
  reader: string,
): Declares<Single<E>> {
  return declare(events, { reader, each: true });
}

function declare(events: EntityEvents | readonly EntityEvents[], rest: Omit<DeclaredConsumer, 'events' | 'stream'>) {
  const list = isList(events) ? events : [events];
  const [first, ...others] = list;
  if (first === undefined || others.some(({ context }) => context !== first.context)) {
    throw new Error(`"${rest.reader}" must read the events of one context`);
  }
  const declared: DeclaredConsumer = { ...rest, events: list, stream: streamKeeping(first) };
  return (_target: object, _name: string | symbol, { value }: PropertyDescriptor): void => {
    Reflect.defineMetadata(READS, declared, value as object);
  };
}

/**
 * While the service runs, the method replaces the read model's method, which it calls. A rebuild calls the read model's
 * method alone, so that it publishes nothing.
 */
export function Wraps<Model extends object, Name extends keyof Model>(
  model: Type<Model>,
  name: Name & string,
): Declares<Model[Name]> {
  return (_target, _name, { value }) => {
    Reflect.defineMetadata(WRAPS, Reflect.get(model.prototype as object, name), value as object);
  };
}

/** Names a read model for `rebuild <name>`: the tables of the class's `@Consumes` methods. */
export function ReadModel(name: string): ClassDecorator {
  return (target) => Reflect.defineMetadata(READ_MODEL, name, target);
}

export const readerOf = (method: object): DeclaredConsumer | undefined =>
  Reflect.getMetadata(READS, method) as DeclaredConsumer | undefined;

/** The read model's method that the method replaces. */
export const wrappedBy = (method: object): object | undefined =>
  Reflect.getMetadata(WRAPS, method) as object | undefined;

export const readModelOf = (type: object): string | undefined =>
  Reflect.getMetadata(READ_MODEL, type) as string | undefined;

/** The methods of a class, including inherited ones. */
export function methodsOf(prototype: unknown): ((...args: never[]) => unknown)[] {
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
    typeof value === 'function' && name !== 'constructor' ? [value as (...args: never[]) => unknown] : [],
  );
  return [...own, ...methodsOf(Object.getPrototypeOf(prototype))];
}

function isList(events: EntityEvents | readonly EntityEvents[]): events is readonly EntityEvents[] {
  return Array.isArray(events);
}
