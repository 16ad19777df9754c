import type { DomainEvent } from '@lyceum/contracts';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Channel, OutboxMessage, RowPart } from './outbox.repository.js';

/** The database adds the epoch at the insert. */
export type WrittenEvent = Omit<DomainEvent, 'epoch'> & {
  readonly entity: string;
  readonly changed: readonly string[];
};

/** Events of bulk work are published behind those of requests, at a limited rate. */
export type EventChannel = Exclude<Channel, 'broadcast'>;

/** Messages that a transaction has added and not written yet. */
export interface Pending {
  readonly channel: EventChannel;
  readonly messages: OutboxMessage[];
  readonly events: WrittenEvent[];
  readonly parts: RowPart[];
}

/** By open transaction of an outbox. */
const PENDING = new WeakMap<QueryRunner, Pending>();

export function openPending(manager: EntityManager, channel: EventChannel): void {
  PENDING.set(runnerOf(manager), { channel, messages: [], events: [], parts: [] });
}

/** Undefined in the transaction of another owner. */
export function pendingOf(manager: EntityManager): Pending | undefined {
  return PENDING.get(runnerOf(manager));
}

/** Runs work in a savepoint of a transaction: work that throws leaves neither rows nor messages of the outbox. */
export async function savepoint<T>(manager: EntityManager, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  const pending = pendingOf(manager);
  const [messages, events, parts] = [pending?.messages.length, pending?.events.length, pending?.parts.length];
  try {
    return await manager.transaction(work);
  } catch (error) {
    pending?.messages.splice(messages ?? 0);
    pending?.events.splice(events ?? 0);
    pending?.parts.splice(parts ?? 0);
    throw error;
  }
}

export function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (queryRunner === undefined) throw new Error('Messages are added in a transaction only');
  return queryRunner;
}
