import { Injectable } from '@nestjs/common';
import { REQUEST_HEADERS, TOPOLOGY_LIMITS, eventType } from '@lyceum/contracts';
import type { DomainEvent, EntityEvents } from '@lyceum/contracts';
import { currentRequest, injectTrace, uuidv7 } from '@lyceum/platform';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { z } from 'zod';
import { eventActor } from '../connection/actor.js';
import { EventErasuresRepository } from './event-erasures.repository.js';
import type { EventErasure } from './event-erasures.repository.js';
import { LIMITS } from '../connection/limits.js';
import { OutboxRepository } from './outbox.repository.js';
import type { Insertion, OutboxMessage, OutboxRow, RowPart } from './outbox.repository.js';
import { openPending, pendingOf, runnerOf } from './pending.js';
import type { EventChannel, Pending, WrittenEvent } from './pending.js';
import { SiteErasuresRepository } from './site-erasures.repository.js';

export interface NewEvent<E extends EntityEvents> {
  readonly aggregate_id: string;
  readonly aggregate_version: number;
  readonly site_id: string | null;
  readonly data: z.input<E['data']>;
  /** Names of the fields that the change set. */
  readonly changed?: readonly string[];
}

/** Derived rows of the service's own events, such as an audit log. They are written in the statement of the events. */
export type EventRecorder = (events: readonly WrittenEvent[]) => RowPart | undefined;

/**
 * Writes state and message in one transaction. Write the aggregate's row before its event: the row lock orders the
 * events of one aggregate. A transaction of the outbox writes all of its messages with its last statement (ADR 55).
 */
@Injectable()
export class Outbox {
  readonly #repository: OutboxRepository;
  readonly #erasures: EventErasuresRepository;
  readonly #siteErasures: SiteErasuresRepository;
  readonly #committed: ((rows: readonly OutboxRow[]) => void)[] = [];
  /** Rows that a running transaction has written. */
  readonly #written = new WeakMap<QueryRunner, OutboxRow[]>();

  #recorder: EventRecorder | undefined;

  constructor(repository: OutboxRepository, erasures: EventErasuresRepository, siteErasures: SiteErasuresRepository) {
    this.#repository = repository;
    this.#erasures = erasures;
    this.#siteErasures = siteErasures;
  }

  /** Called with the added events of a transaction before it ends. */
  recordWith(recorder: EventRecorder): void {
    if (this.#recorder !== undefined) throw new Error('The outbox has a recorder already');
    this.#recorder = recorder;
  }

  /** A database transaction; its messages are published within milliseconds after the commit. */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>, channel: EventChannel = 'event'): Promise<T> {
    let written: readonly OutboxRow[] | undefined;
    const result = await this.#repository.transaction(async (manager) => {
      openPending(manager, channel);
      const value = await work(manager);
      await this.#flush(manager);
      written = this.#written.get(runnerOf(manager));
      return value;
    });
    if (written !== undefined) for (const fn of this.#committed) fn(written);
    return result;
  }

  /**
   * Ends the work of a transaction: writes its messages and one row, and commits both. Nothing may follow.
   *
   * @returns false if the row was not inserted. Throw then, so that the transaction is rolled back.
   */
  async finish(manager: EntityManager, row: RowPart): Promise<boolean> {
    if (requirePending(manager).messages.length > 0) return this.#flush(manager, row);
    await this.#flush(manager);
    return (await this.#repository.insertPart(manager, row)) > 0;
  }

  /** Adds rows that the transaction does not read. Its last statement writes them, with the messages. */
  async addRows(manager: EntityManager, part: RowPart): Promise<void> {
    const pending = pendingOf(manager);
    if (pending === undefined) await this.#repository.insertPart(manager, part);
    else pending.parts.push(part);
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
    const channel = pendingOf(manager)?.channel ?? 'event';
    const type = eventType(events, name);
    const occurred_at = new Date().toISOString();
    const trace = currentTrace();
    const written = list.map(({ aggregate_id, aggregate_version, site_id, data, changed = [] }) => {
      const envelope: Omit<DomainEvent, 'epoch'> = {
        id: uuidv7(),
        type,
        aggregate_id,
        aggregate_version,
        site_id,
        occurred_at,
        actor: eventActor(site_id),
        data: events.data.parse(data),
      };
      const message = complete({ id: envelope.id, channel, subject: type, aggregate_id, trace }, envelope);
      return { message, event: { ...envelope, entity: events.entity, changed } };
    });
    await this.#add(
      manager,
      written.map(({ message }) => message),
      written.map(({ event }) => event),
    );
  }

  /** Publishes to the current subscribers directly after the commit, independent of events. May be delivered twice. */
  async broadcast(manager: EntityManager, subject: string, payload: object): Promise<void> {
    const message = complete(
      { id: uuidv7(), channel: 'broadcast', subject, aggregate_id: subject, trace: currentTrace() },
      payload,
    );
    await this.#add(manager, [message], []);
  }

  /**
   * Deletes all events of the aggregate before this position from the stream of the service, and from its dead letters,
   * soon after the commit. The event at the position has no personal data.
   */
  erase(
    manager: EntityManager,
    { context, entity }: EntityEvents,
    erasure: Omit<EventErasure, 'subjects'>,
  ): Promise<void> {
    return this.#erasures.add(manager, { ...erasure, subjects: `${context}.${entity}.>` });
  }

  /** Deletes all data of a deleted site soon after the commit, and ignores its events from then on. */
  eraseSite(manager: EntityManager, siteId: string): Promise<void> {
    return this.#siteErasures.add(manager, siteId);
  }

  /** Called with the rows of a transaction after its commit. */
  onCommit(fn: (rows: readonly OutboxRow[]) => void): void {
    this.#committed.push(fn);
  }

  async #add(manager: EntityManager, messages: readonly OutboxMessage[], events: readonly WrittenEvent[]) {
    const pending = pendingOf(manager);
    // The transaction of another owner, which would not write them at its end.
    if (pending === undefined) return void (await this.#insert(manager, messages, events));
    pending.messages.push(...messages);
    pending.events.push(...events);
  }

  /** Writes what the transaction has added, and commits it. Returns false if the required row was not inserted. */
  async #flush(manager: EntityManager, required?: RowPart): Promise<boolean> {
    const { messages, events, parts } = requirePending(manager);
    const added = parts.splice(0);
    if (messages.length === 0) for (const one of added) await this.#repository.insertPart(manager, one);
    const last = { parts: required === undefined ? added : [required, ...added], required, commits: true };
    return this.#insert(manager, messages.splice(0), events.splice(0), last);
  }

  async #insert(
    manager: EntityManager,
    messages: readonly OutboxMessage[],
    events: readonly WrittenEvent[],
    last: Insertion = {},
  ): Promise<boolean> {
    const runner = runnerOf(manager);
    for (let at = 0; at < messages.length; at += LIMITS.outboxStatement) {
      const end = at + LIMITS.outboxStatement;
      const some = events.slice(at, end);
      const recorded = some.length === 0 ? undefined : this.#recorder?.(some);
      const ending = end >= messages.length ? last : {};
      const parts = [...(ending.parts ?? []), recorded].filter((one) => one !== undefined);
      const inserted = await this.#repository.insert(manager, messages.slice(at, end), { ...ending, parts });
      if (inserted === undefined) return false;
      this.#written.set(runner, [...(this.#written.get(runner) ?? []), ...inserted]);
    }
    return true;
  }
}

function requirePending(manager: EntityManager): Pending {
  const pending = pendingOf(manager);
  if (pending === undefined) throw new Error('Only a transaction of the outbox has messages to write');
  return pending;
}

/** The repository adds the epoch to the payload. */
const EPOCH_BYTES = '"epoch":9007199254740991,'.length;

function complete(message: Omit<OutboxMessage, 'payload'>, body: object): OutboxMessage {
  const { subject } = message;
  const payload = JSON.stringify(body);
  const bytes = Buffer.byteLength(payload) + EPOCH_BYTES;
  // An event that cannot be published would block all later ones.
  if (bytes > TOPOLOGY_LIMITS.eventBytes) {
    throw new Error(`${subject} has ${bytes} bytes, more than ${TOPOLOGY_LIMITS.eventBytes}`);
  }
  return { ...message, payload };
}

/** The trace of the writer, with the request id: the consumer logs the same one. */
function currentTrace(): OutboxMessage['trace'] {
  const requestId = currentRequest()?.requestId;
  const trace: Record<string, string> = requestId === undefined ? {} : { [REQUEST_HEADERS.requestId]: requestId };
  injectTrace(trace);
  return trace;
}
