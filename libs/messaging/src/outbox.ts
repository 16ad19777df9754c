import { Injectable } from '@nestjs/common';
import { REQUEST_HEADERS, TOPOLOGY_LIMITS, eventType } from '@lyceum/contracts';
import type { DomainEvent, EntityEvents } from '@lyceum/contracts';
import { currentRequest, injectTrace, uuidv7 } from '@lyceum/platform';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { z } from 'zod';
import { eventActor } from './actor.js';
import { OutboxRepository } from './outbox.repository.js';
import type { OutboxMessage, OutboxRow } from './outbox.repository.js';

export interface NewEvent<E extends EntityEvents> {
  readonly aggregate_id: string;
  readonly aggregate_version: number;
  readonly site_id: string | null;
  readonly data: z.input<E['data']>;
  /** Names of the fields that the change set. */
  readonly changed?: readonly string[];
}

/** The database adds the epoch when the event is written. */
export type WrittenEvent = Omit<DomainEvent, 'epoch'> & {
  readonly entity: string;
  readonly changed: readonly string[];
};

/** Writes what a service keeps of its own events, such as a log of changes, in their transaction. */
export type EventRecorder = (manager: EntityManager, events: readonly WrittenEvent[]) => Promise<void>;

/**
 * Writes state and message in one transaction. Write the aggregate's row before its event: the row's lock is what puts
 * the events of one aggregate in order.
 */
@Injectable()
export class Outbox {
  readonly #repository: OutboxRepository;
  readonly #committed: ((rows: readonly OutboxRow[]) => void)[] = [];
  /** What was written in a running transaction. */
  readonly #written = new WeakMap<QueryRunner, OutboxRow[]>();

  #recorder: EventRecorder | undefined;

  constructor(repository: OutboxRepository) {
    this.#repository = repository;
  }

  /** Called with every event that is added, before its transaction ends. */
  recordWith(recorder: EventRecorder): void {
    if (this.#recorder !== undefined) throw new Error('The outbox has a recorder already');
    this.#recorder = recorder;
  }

  /** A database transaction; after its commit, what it added is published within milliseconds. */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    let written: readonly OutboxRow[] | undefined;
    const result = await this.#repository.transaction(async (manager) => {
      const value = await work(manager);
      written = manager.queryRunner === undefined ? undefined : this.#written.get(manager.queryRunner);
      return value;
    });
    if (written !== undefined) for (const fn of this.#committed) fn(written);
    return result;
  }

  /** Adds an event to the transaction of the manager. The data is parsed with the contract's schema first. */
  async add<E extends EntityEvents>(
    manager: EntityManager,
    events: E,
    name: E['names'][number],
    event: NewEvent<E>,
  ): Promise<void> {
    await this.addAll(manager, events, name, [event]);
  }

  /** Many events of one kind, in one statement. */
  async addAll<E extends EntityEvents>(
    manager: EntityManager,
    events: E,
    name: E['names'][number],
    list: readonly NewEvent<E>[],
  ): Promise<void> {
    const written = list.map((event) => {
      const envelope: Omit<DomainEvent, 'epoch'> = {
        id: uuidv7(),
        type: eventType(events, name),
        aggregate_id: event.aggregate_id,
        aggregate_version: event.aggregate_version,
        site_id: event.site_id,
        occurred_at: new Date().toISOString(),
        actor: eventActor(event.site_id),
        data: events.data.parse(event.data),
      };
      const { id, type: subject, aggregate_id } = envelope;
      const message = complete({ id, channel: 'event', subject, aggregate_id }, envelope);
      return { message, event: { ...envelope, entity: events.entity, changed: event.changed ?? [] } };
    });
    await this.#insert(
      manager,
      written.map(({ message }) => message),
    );
    await this.#recorder?.(
      manager,
      written.map(({ event }) => event),
    );
  }

  /** Published to whoever listens, at once after the commit. Never waits behind events; may be heard twice. */
  async broadcast(manager: EntityManager, subject: string, payload: object): Promise<void> {
    await this.#insert(manager, [
      complete({ id: uuidv7(), channel: 'broadcast', subject, aggregate_id: subject }, payload),
    ]);
  }

  /** Called with what a transaction added, after its commit. */
  onCommit(fn: (rows: readonly OutboxRow[]) => void): void {
    this.#committed.push(fn);
  }

  async #insert(manager: EntityManager, messages: readonly OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const rows = await this.#repository.insert(manager, messages);
    if (manager.queryRunner === undefined) return;
    const written = this.#written.get(manager.queryRunner) ?? [];
    this.#written.set(manager.queryRunner, [...written, ...rows]);
  }
}

/** The repository adds the epoch to the payload. */
const EPOCH_BYTES = '"epoch":9007199254740991,'.length;

function complete(message: Omit<OutboxMessage, 'payload' | 'trace'>, body: object): OutboxMessage {
  const { subject } = message;
  const payload = JSON.stringify(body);
  const bytes = Buffer.byteLength(payload) + EPOCH_BYTES;
  // What is committed must be publishable, or it would stand in the way of all that follows.
  if (bytes > TOPOLOGY_LIMITS.eventBytes) {
    throw new Error(`${subject} has ${bytes} bytes, more than ${TOPOLOGY_LIMITS.eventBytes}`);
  }
  // Whoever applies it logs the same request id.
  const requestId = currentRequest()?.requestId;
  const trace: Record<string, string> = requestId === undefined ? {} : { [REQUEST_HEADERS.requestId]: requestId };
  injectTrace(trace);
  return { ...message, payload, trace };
}
