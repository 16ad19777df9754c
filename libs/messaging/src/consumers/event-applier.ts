import { Injectable } from '@nestjs/common';
import type { EntityEvents } from '@lyceum/contracts';
import { Database, isDatabaseUnavailable, runInTrace } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { readEvent } from './event-handler.js';
import type { EventOf } from './event-handler.js';
import { InboxRepository } from './inbox.repository.js';
import { Outbox } from '../outbox/outbox.js';

/**
 * How a consumer applies events. It writes through the manager: the same transaction records the events as applied.
 * Events of one aggregate usually arrive in order. A later one can pass an event that is tried again.
 */
type Handling<E extends readonly EntityEvents[]> =
  | { handle(event: EventOf<E>, manager: EntityManager): Promise<void>; readonly handleAll?: never }
  /** A handler that applies many events with one statement. */
  | { handleAll(events: readonly EventOf<E>[], manager: EntityManager): Promise<void>; readonly handle?: never };

/** Applies events of some entities to this service's data. */
export type EventHandler<E extends readonly EntityEvents[] = readonly EntityEvents[]> = Handling<E> & {
  /** Unique in the service; part of the durable consumer's name and of the inbox's key. Never rename it. */
  readonly name: string;
  readonly events: E;
};

/** An event with the trace and request id of its writer. */
export interface TracedEvent {
  readonly event: EventOf<readonly EntityEvents[]>;
  readonly trace: Readonly<Record<string, string | undefined>>;
}

/**
 * Writes inbox rows and runs handlers in one transaction, so an event that is delivered several times is applied once.
 */
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

  /** Throws while the database is unavailable or lacks a migration: the events are not at fault then. */
  async ready(): Promise<void> {
    await this.#database.check();
  }

  /** Returns false when the event was applied before, or is of a deleted site. */
  async apply(consumer: string, reader: EventHandler, subject: string, text: string): Promise<boolean> {
    const event = readEvent(reader.events, subject, text);
    return (await this.applyAll(consumer, reader, [{ event, trace: {} }])).size === 1;
  }

  /** Applies all events or, when it throws, none. Returns the applied ones: new, and not of a deleted site. */
  async applyAll<T extends TracedEvent>(
    consumer: string,
    reader: EventHandler,
    batch: readonly T[],
  ): Promise<ReadonlySet<T>> {
    const byId = new Map<string, T>();
    for (const traced of batch) {
      // As PostgreSQL writes it.
      const id = traced.event.id.toLowerCase();
      // A duplicate within the batch is applied at its first position.
      if (!byId.has(id)) byId.set(id, traced);
    }
    return this.#outbox.transaction(async (manager) => {
      const events = new Map([...byId].map(([id, { event }]) => [id, event]));
      const recorded = await this.#inbox.record(manager, consumer, events);
      const unapplied = [...byId].flatMap(([id, traced]) => (recorded.has(id) ? [traced] : []));
      if (unapplied.length > 0) await handle(reader, unapplied, manager);
      return new Set(unapplied);
    });
  }
}

async function handle(reader: EventHandler, unapplied: readonly TracedEvent[], manager: EntityManager): Promise<void> {
  if (reader.handleAll !== undefined) {
    const [first, ...others] = unapplied;
    // A batch has many traces, so its statement belongs to none of them.
    const trace = others.length === 0 ? (first?.trace ?? {}) : {};
    const events = unapplied.map(({ event }) => event);
    return runInTrace(trace, `consume ${reader.name}`, () => reader.handleAll(events, manager));
  }
  for (const { event, trace } of unapplied) {
    await runInTrace(trace, `consume ${event.type}`, () => reader.handle(event, manager));
  }
}

/** Errors of one statement: the event itself may make it slow or lock too much, so it must not be retried forever. */
const ABOUT_THE_STATEMENT = new Set(['57014', '55P03', '40001', '40P01']);

/** Returns true when the database is unavailable: no event is at fault then, and none is discarded. */
export function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !ABOUT_THE_STATEMENT.has(stateOf(error));
}

function stateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
