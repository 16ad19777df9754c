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

/** The database adds the epoch at the insert. */
export type WrittenEvent = Omit<DomainEvent, 'epoch'> & {
  readonly entity: string;
  readonly changed: readonly string[];
};

/** Writes derived rows of the service's own events, such as an audit log, in their transaction. */
export type EventRecorder = (manager: EntityManager, events: readonly WrittenEvent[]) => Promise<void>;

/**
 * Writes state and message in one transaction. Write the aggregate's row before its event: the row lock orders the
 * events of one aggregate.
 */
@Injectable()
export class Outbox {
  readonly #repository: OutboxRepository;
  readonly #committed: ((rows: readonly OutboxRow[]) => void)[] = [];
  /** Rows that a running transaction has written. */
  readonly #written = new WeakMap<QueryRunner, OutboxRow[]>();

  #recorder: EventRecorder | undefined;

  constructor(repository: OutboxRepository) {
    this.#repository = repository;
  }

  /** Called with every added event before its transaction ends. */
  recordWith(recorder: EventRecorder): void {
    if (this.#recorder !== undefined) throw new Error('The outbox has a recorder already');
    this.#recorder = recorder;
  }

  /** A database transaction; its messages are published within milliseconds after the commit. */
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

  /** Adds an event to the transaction of the manager. The data is first parsed with the contract's schema. */
  async add<E extends EntityEvents>(
    manager: EntityManager,
    events: E,
    name: E['names'][number],
    event: NewEvent<E>,
  ): Promise<void> {
    await this.addAll(manager, events, name, [event]);
  }

  /** Adds many events of one kind with one statement. */
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

  /** Publishes to the current subscribers directly after the commit, independent of events. May be delivered twice. */
  async broadcast(manager: EntityManager, subject: string, payload: object): Promise<void> {
    await this.#insert(manager, [
      complete({ id: uuidv7(), channel: 'broadcast', subject, aggregate_id: subject }, payload),
    ]);
  }

  /** Called with the rows of a transaction after its commit. */
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
  // An event that cannot be published would block all later ones.
  if (bytes > TOPOLOGY_LIMITS.eventBytes) {
    throw new Error(`${subject} has ${bytes} bytes, more than ${TOPOLOGY_LIMITS.eventBytes}`);
  }
  // The consumer logs the same request id.
  const requestId = currentRequest()?.requestId;
  const trace: Record<string, string> = requestId === undefined ? {} : { [REQUEST_HEADERS.requestId]: requestId };
  injectTrace(trace);
  return { ...message, payload, trace };
}
