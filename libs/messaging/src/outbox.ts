import { Injectable } from '@nestjs/common';
import { REQUEST_HEADERS, TOPOLOGY_LIMITS, eventType } from '@lyceum/contracts';
import type { DomainEvent, EntityEvents } from '@lyceum/contracts';
import { currentRequest, injectTrace, uuidv7 } from '@lyceum/platform';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { z } from 'zod';
import { OutboxRepository } from './outbox.repository.js';
import type { OutboxMessage, OutboxRow } from './outbox.repository.js';

export interface NewEvent<E extends EntityEvents> {
  readonly aggregate_id: string;
  readonly aggregate_version: number;
  readonly site_id: string | null;
  readonly data: z.input<E['data']>;
}

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

  constructor(repository: OutboxRepository) {
    this.#repository = repository;
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
    const messages = list.map((event) => {
      const envelope: DomainEvent = {
        id: uuidv7(),
        type: eventType(events, name),
        aggregate_id: event.aggregate_id,
        aggregate_version: event.aggregate_version,
        site_id: event.site_id,
        occurred_at: new Date().toISOString(),
        data: events.data.parse(event.data),
      };
      const { id, type: subject, aggregate_id } = envelope;
      return complete({ id, channel: 'event', subject, aggregate_id }, envelope);
    });
    await this.#insert(manager, messages);
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

function complete(message: Omit<OutboxMessage, 'payload' | 'trace'>, body: object): OutboxMessage {
  const { subject } = message;
  const payload = JSON.stringify(body);
  const bytes = Buffer.byteLength(payload);
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
