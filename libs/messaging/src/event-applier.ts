import { Injectable } from '@nestjs/common';
import type { EntityEvents } from '@lyceum/contracts';
import { Database, isDatabaseUnavailable } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { readEvent } from './event-reader.js';
import type { EventOf } from './event-reader.js';
import { InboxRepository } from './inbox.repository.js';
import { Outbox } from './outbox.js';

/** Applies events of some entities to this service's data. */
export interface EventReader<E extends readonly EntityEvents[] = readonly EntityEvents[]> {
  /** Unique in the service; part of the durable consumer's name and of the inbox's key. Never rename it. */
  readonly name: string;
  readonly events: E;
  /** Everything it writes goes through the manager: its transaction also records the event as applied. */
  handle(event: EventOf<E>, manager: EntityManager): Promise<void>;
}

/** Inbox row and handler in one transaction: whatever is delivered again, an event is applied once. */
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
  async apply(consumer: string, reader: EventReader, subject: string, text: string): Promise<boolean> {
    const event = readEvent(reader.events, subject, text);
    return this.#outbox.transaction(async (manager) => {
      if (!(await this.#inbox.record(manager, consumer, event.id))) return false;
      await reader.handle(event, manager);
      return true;
    });
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
