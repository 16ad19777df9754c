import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { EventConsumers } from './event-consumers.js';
import type { EventOf } from './event-handler.js';
import { methodsOf, readerOf, wrappedBy } from './consumes.decorator.js';

type Apply = (events: unknown, tx: EntityManager) => Promise<void>;

/** Registers the methods of all providers that `@Consumes` declares. */
@Injectable()
export class HandlerDiscovery implements OnModuleInit {
  readonly #discovery: DiscoveryService;
  readonly #consumers: EventConsumers;

  constructor(discovery: DiscoveryService, consumers: EventConsumers) {
    this.#discovery = discovery;
    this.#consumers = consumers;
  }

  onModuleInit(): void {
    const methods = this.#methods();
    const wrappers = new Map<object, Apply>();
    for (const { method, apply } of methods) {
      const wrapped = wrappedBy(method);
      if (wrapped !== undefined) wrappers.set(wrapped, apply);
    }
    for (const { method, apply } of methods) {
      const declared = readerOf(method);
      if (declared === undefined) continue;
      const { reader: name, stream, events, each } = declared;
      const run = wrappers.get(method) ?? apply;
      wrappers.delete(method);
      this.#consumers.register({
        name,
        stream,
        events,
        ...(each
          ? { handle: (event: EventOf<typeof events>, tx: EntityManager) => run(event, tx) }
          : { handleAll: (all: readonly EventOf<typeof events>[], tx: EntityManager) => run(all, tx) }),
      });
    }
    if (wrappers.size > 0) throw new Error('A method wraps one that no provider declares with @Consumes');
  }

  #methods(): { readonly method: object; readonly apply: Apply }[] {
    return this.#discovery.getProviders().flatMap(({ instance }: { instance: unknown }) => {
      if (typeof instance !== 'object' || instance === null) return [];
      return methodsOf(Object.getPrototypeOf(instance)).map((method) => ({
        method,
        apply: (events: unknown, tx: EntityManager): Promise<void> =>
          method.call(instance, events as never, tx as never) as Promise<void>,
      }));
    });
  }
}
