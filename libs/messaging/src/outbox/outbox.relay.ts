import { Logger } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { Backoff, pause } from '../connection/backoff.js';
import { LIMITS } from '../connection/limits.js';
import type { Nats } from '../connection/nats.js';
import type { Published } from './outbox.publisher.js';
import type { Channel, OutboxRepository, OutboxRow } from './outbox.repository.js';

/**
 * Result of a turn: no rows, all rows published, a full batch published, lock held elsewhere, or not all accepted by
 * NATS.
 */
type Turn = 'idle' | 'empty' | 'full' | 'held' | 'stuck';

interface Parts {
  readonly channel: Channel;
  readonly nats: Nats;
  readonly repository: OutboxRepository;
  readonly publish: (connection: NatsConnection, rows: readonly OutboxRow[]) => Promise<Published>;
  readonly onPublished: (count: number) => void;
}

/**
 * Moves one channel of the outbox to NATS. Lock, batch, publication and deletion share one transaction: when the
 * process dies the rows remain, and their message ids prevent duplicates in the stream.
 */
export class OutboxRelay {
  readonly #logger: Logger;
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #wake: AbortController | undefined;
  #kicked = false;
  #running: Promise<void> | undefined;
  #failing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#logger = new Logger(`OutboxRelay ${parts.channel}`);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Wakes the relay after a commit or a reconnect. */
  wake(): void {
    this.#kicked = true;
    this.#wake?.abort();
  }

  /** Ends after the current turn. Remaining rows stay in the table for the next process. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake?.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const stuck = new Backoff(LIMITS.relayBackoff, LIMITS.relayBackoffMax);
    const held = new Backoff(LIMITS.relayHeldWait, LIMITS.relayPoll);
    while (!signal.aborted) {
      const turn = await this.#turn();
      if (turn !== 'stuck') stuck.reset();
      if (turn !== 'held') held.reset();
      const { channel } = this.#parts;
      if (channel === 'bulk' && turn !== 'idle') await pause(LIMITS.bulkRest, signal);
      // Rows of the next commits are published together: a turn costs more than the rows of it.
      else if (turn === 'empty') await pause(LIMITS.relayRest, signal);
      if (turn === 'idle' || turn === 'empty') await this.#sleep(LIMITS.relayPoll);
      // A call must not shorten this pause, or each commit would retry at once.
      else if (turn === 'stuck') await pause(stuck.next(), signal);
      else if (turn === 'held') await pause(held.next(), signal);
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (this.#kicked || this.#stop.signal.aborted) return;
    this.#wake = new AbortController();
    await pause(milliseconds, this.#wake.signal);
    this.#wake = undefined;
  }

  async #turn(): Promise<Turn> {
    const { channel, nats, repository } = this.#parts;
    const connection = nats.connection;
    const kicked = this.#kicked;
    this.#kicked = false;
    // `onConnect` wakes the relay.
    if (connection === undefined) return 'idle';
    try {
      if (!kicked && !(await repository.waiting(channel))) return 'idle';
      return await this.#relay(connection);
    } catch (error) {
      this.#report(error);
      return 'stuck';
    }
  }

  async #relay(connection: NatsConnection): Promise<Turn> {
    const { channel, repository, publish, onPublished } = this.#parts;
    const { turn, published, fault } = (await repository.transaction(async (manager) => {
      const rows = await repository.takeOldest(manager, channel);
      if (rows === undefined) return { turn: 'held' as const, published: 0 };
      if (rows.length === 0) return { turn: 'idle' as const, published: 0 };
      const result = await publish(connection, rows);
      await repository.delete(result.done, manager);
      const complete = result.done.length === rows.length;
      // Rows after a smaller batch are of transactions that wake this relay or the one of their replica.
      const limit = channel === 'bulk' ? LIMITS.bulkBatch : LIMITS.relayBatch;
      const next = rows.length < limit ? ('empty' as const) : ('full' as const);
      return { turn: complete ? next : ('stuck' as const), published: result.done.length, ...result };
    })) as { turn: Turn; published: number; fault?: unknown };
    if (published > 0) onPublished(published);
    if (turn === 'stuck') this.#report(fault);
    else if (published > 0) this.#failing = false;
    return turn;
  }

  /** Logs once per failure period. */
  #report(error: unknown): void {
    if (!this.#failing) this.#logger.warn({ msg: 'the outbox is not moving; trying again', err: error });
    this.#failing = true;
  }
}
