import { setImmediate } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { atMost } from '../connection/backoff.js';
import { LIMITS } from '../connection/limits.js';
import { isMissing } from '../connection/missing-resources.js';
import type { OutboxRow } from './outbox.repository.js';

/** The published messages, and the error that stopped the first of the rest. */
export interface Published {
  readonly done: OutboxRow[];
  readonly fault: unknown;
}

/** Thrown when no stream acknowledges the message, which the client reports as "jetstream is not enabled". */
export class StreamMissing extends Error {
  constructor(subject: string, cause: unknown) {
    super(`no stream takes ${subject}: it does not exist, or JetStream is off. The bootstrap step makes it`, { cause });
    this.name = 'StreamMissing';
  }
}

/** Publishes to the current subscribers; resolves when the server has the messages. */
export async function publishBroadcasts(connection: NatsConnection, rows: readonly OutboxRow[]): Promise<Published> {
  try {
    for (const row of rows) connection.publish(row.subject, row.payload, { headers: headersOf(row) });
    if (!(await atMost(LIMITS.publishTimeout, connection.flush())))
      throw new Error('NATS did not confirm a flush in time');
    return { done: [...rows], fault: undefined };
  } catch (fault) {
    return { done: [], fault };
  }
}

/**
 * Publishes to JetStream and waits for each acknowledgement. Aggregates are published concurrently. The events of one
 * aggregate are published in sequence and stop at the first failure, so their order is kept.
 */
export async function publishEvents(connection: NatsConnection, rows: readonly OutboxRow[]): Promise<Published> {
  const client = jetstream(connection, { timeout: LIMITS.publishTimeout });
  const end = Date.now() + LIMITS.publishBudget;
  const done: OutboxRow[] = [];
  let fault: unknown;
  const publishAll = async (chain: readonly OutboxRow[]): Promise<void> => {
    for (const row of chain) {
      const timeout = Math.min(LIMITS.publishTimeout, end - Date.now());
      if (timeout < 1) return;
      try {
        await client.publish(row.subject, row.payload, { msgID: row.id, headers: headersOf(row), timeout });
        done.push(row);
      } catch (error) {
        fault ??= isMissing(error) ? new StreamMissing(row.subject, error) : error;
        return;
      }
    }
  };
  const chains = [...Map.groupBy(rows, (row) => row.aggregate_id).values()];
  const published: Promise<void>[] = [];
  for (let at = 0; at < chains.length; at += LIMITS.relayTurn) {
    // Requests of others come first.
    if (at > 0) await setImmediate();
    published.push(...chains.slice(at, at + LIMITS.relayTurn).map(publishAll));
  }
  await Promise.all(published);
  return { done, fault };
}

function headersOf(row: OutboxRow): MsgHdrs {
  const written = headers();
  for (const [name, value] of Object.entries(row.trace)) written.set(name, value);
  return written;
}
