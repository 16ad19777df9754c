import { Injectable } from '@nestjs/common';
import type { EntityEvents } from '@lyceum/contracts';
import { Database, isDatabaseUnavailable, runInTrace } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { readEvent } from './event-handler.js';
import type { EventOf } from './event-handler.js';
import { InboxRepository } from './inbox.repository.js';
import { Outbox } from './outbox.js';

/**
 * How a reader applies events. Everything that it writes goes through the manager: its transaction also records the
 * events as applied. Events of one aggregate come in their order.
 */
type Handling<E extends readonly EntityEvents[]> =
  | { handle(event: EventOf<E>, manager: EntityManager): Promise<void>; readonly handleAll?: never }
  /** For readers that apply many events with one statement. */
  | { handleAll(events: readonly EventOf<E>[], manager: EntityManager): Promise<void>; readonly handle?: never };

/** Applies events of some entities to this service's data. */
export type EventHandler<E extends readonly EntityEvents[] = readonly EntityEvents[]> = Handling<E> & {
  /** Unique in the service; part of the durable consumer's name and of the inbox's key. Never rename it. */
  readonly name: string;
  readonly events: E;
};

/** An event with what it brought of the request and the trace that wrote it. */
export interface TracedEvent {
  readonly event: EventOf<readonly EntityEvents[]>;
  readonly trace: Readonly<Record<string, string | undefined>>;
}

/** Inbox rows and handlers in one transaction: an event that is delivered several times is applied once. */
@Injectable()
export class EventApplier {
  readonly #outbox: Outbox;
  readonly #inbox: InboxRepository;
  readonly #database: Database;

  constructor(outbox: Outbox, inbox: InboxRepository, database: Database) {
    this.#outbox = outbox;
    this.#inbox = inbox;
    this.#database = database;
  }

  /** Throws while the database is away or lacks a migration: applying would fail, and no event would be to blame. */
  async ready(): Promise<void> {
    await this.#database.check();
  }

  /** False when it was applied before. */
  async apply(consumer: string, reader: EventHandler, subject: string, text: string): Promise<boolean> {
    const event = readEvent(reader.events, subject, text);
    return (await this.applyAll(consumer, reader, [{ event, trace: {} }])).size === 1;
  }

  /** Applies all of them or, when it throws, none. Those that were not applied before. */
  async applyAll<T extends TracedEvent>(
    consumer: string,
    reader: EventHandler,
    batch: readonly T[],
  ): Promise<ReadonlySet<T>> {
    const byId = new Map<string, T>();
    for (const traced of batch) {
      // As PostgreSQL writes it.
      const id = traced.event.id.toLowerCase();
      // An event that stands in the batch twice is applied at its first place.
      if (!byId.has(id)) byId.set(id, traced);
    }
    return this.#outbox.transaction(async (manager) => {
      const recorded = await this.#inbox.record(manager, consumer, [...byId.keys()]);
      const unapplied = [...byId].flatMap(([id, traced]) => (recorded.has(id) ? [traced] : []));
      if (unapplied.length > 0) await handle(reader, unapplied, manager);
      return new Set(unapplied);
    });
  }
}

async function handle(reader: EventHandler, unapplied: readonly TracedEvent[], manager: EntityManager): Promise<void> {
  if (reader.handleAll !== undefined) {
    const [first, ...others] = unapplied;
    // Many events have many traces: what is done for all of them belongs to none.
    const trace = others.length === 0 ? (first?.trace ?? {}) : {};
    const events = unapplied.map(({ event }) => event);
    return runInTrace(trace, `consume ${reader.name}`, () => reader.handleAll(events, manager));
  }
  for (const { event, trace } of unapplied) {
    await runInTrace(trace, `consume ${event.type}`, () => reader.handle(event, manager));
  }
}

/** These are about one statement: it may be the event that makes it too slow or lock too much, so it must not wait for ever. */
const ABOUT_THE_STATEMENT = new Set(['57014', '55P03', '40001', '40P01']);

/** True when the database is away: then no event is to blame, and none is given up. */
export function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !ABOUT_THE_STATEMENT.has(stateOf(error));
}

function stateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
