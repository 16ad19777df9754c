import { Injectable } from '@nestjs/common';
import { republicationSubject } from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import { UsageError, errorMessage, isDatabaseUnavailable } from '@lyceum/platform';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EntityManager } from 'typeorm';
import { Backoff, pause } from '../connection/backoff.js';
import type { StreamName } from '../connection/configuration.js';
import { LIMITS } from '../connection/limits.js';
import { Nats } from '../connection/nats.js';
import { Outbox } from './outbox.js';
import type { NewEvent } from './outbox.js';
import { OutboxRepository } from './outbox.repository.js';
import { backlogsOf } from '../connection/consumer-backlog.js';
import type { ConsumerBacklog } from '../connection/consumer-backlog.js';
import { managerOf } from '../connection/storage.js';

/** The columns of a primary key, in its order. All are UUIDs. */
type Key = readonly string[];

/** The current state of an aggregate. */
export interface AggregateSnapshot<E extends EntityEvents = EntityEvents> {
  readonly key: Key;
  readonly event: NewEvent<E>;
}

/** How an owner republishes all aggregates of one entity. */
export interface Republication<E extends EntityEvents = EntityEvents> {
  readonly events: E;
  /**
   * Next batch after the key, in key order, including suspended and deleted rows. Locked `FOR SHARE`, so a concurrent
   * change is published after this batch.
   */
  batch(manager: EntityManager, after: Key, limit: number): Promise<readonly AggregateSnapshot<E>[]>;
}

/** Reason of a pause, for a line of progress. */
interface Obstacle {
  readonly waits_for: string;
  readonly events?: number;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const STREAMS = {
  identity: 'IDENTITY',
  school: 'SCHOOL',
  learner: 'LEARNER',
} as const satisfies Record<EntityEvents['context'], StreamName>;

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Usage text of the owners' commands. */
export const REPUBLISH_USAGE = '<entity>… | all: publish the current state again, to rebuild read models';

/**
 * Publishes the state of this service's entities as `republished` events, while it serves requests. Each event has the
 * aggregate's version: an up-to-date read model ignores it, one without the row inserts it, and later changes win. A
 * final mark records the first sequence number of the republication; see docs/adr/0012-rebuilding-read-models.md.
 */
@Injectable()
export class Republisher {
  readonly #nats: Nats;
  readonly #outbox: Outbox;
  readonly #repository: OutboxRepository;
  /** Names of consumers that a line of progress has named. */
  readonly #ignored = new Set<string>();

  constructor(nats: Nats, outbox: Outbox, repository: OutboxRepository) {
    this.#nats = nats;
    this.#outbox = outbox;
    this.#repository = repository;
  }

  /** `words` are entity names as in the events, or `all`. Prints its progress as lines of JSON. */
  async run(owned: readonly Republication[], words: readonly string[]): Promise<void> {
    const known = owned.map(({ events }) => events.entity);
    if (words.length === 0 || words.some((word) => word !== 'all' && !known.includes(word))) {
      throw new UsageError(`republish needs all, or some of ${known.join(', ')}`);
    }
    const wanted = owned.filter(({ events }) => words.includes('all') || words.includes(events.entity));
    const connection = await this.#nats.ready();
    for (const one of wanted) await this.#republish(connection, one);
  }

  async #republish(connection: NatsConnection, one: Republication): Promise<void> {
    const { entity, context } = one.events;
    const { streams } = await managerOf(connection, this.#nats.storage);
    // Before the first row is read: a row created meanwhile publishes its own event after this place.
    const from = (await streams.info(STREAMS[context])).state.last_seq + 1;
    let sent = 0;
    let size: number = LIMITS.republishFirst;
    await this.#room(one, sent);
    for (let after: Key | undefined = [NIL, NIL]; after !== undefined;) {
      const began = performance.now();
      const batch = await this.#send(one, after, size);
      after = batch.at(-1)?.key;
      const before = sent;
      sent += batch.length;
      const isDue = Math.floor(before / LIMITS.republishReport) < Math.floor(sent / LIMITS.republishReport);
      if (isDue) print({ entity, republished: sent });
      if (batch.length > 0) await this.#room(one, sent);
      size = nextSize(size, performance.now() - began);
    }
    const last = await this.#repository.lastUnsent();
    while (last !== undefined && !(await this.#repository.isSent(last))) await pause(LIMITS.republishPoll);
    const client = jetstream(connection, { timeout: LIMITS.jetStreamTimeout });
    await client.publish(republicationSubject(one.events), JSON.stringify({ from }));
    print({ entity, republished: sent, complete: true });
  }

  /**
   * Waits until the backlog of the outbox and of each consumer is small, so that new events are not delayed for long.
   * It waits without a limit: while NATS or a consumer is down, no event is lost and none is added.
   */
  async #room({ events }: Republication, sent: number): Promise<void> {
    let reportedAt = performance.now();
    for (let obstacle = await this.#obstacle(events); obstacle !== undefined; obstacle = await this.#obstacle(events)) {
      if (performance.now() - reportedAt >= LIMITS.republishWait) {
        print({ entity: events.entity, republished: sent, ...obstacle });
        reportedAt = performance.now();
      }
      await pause(LIMITS.republishPoll);
    }
  }

  /** The next batch waits for the outbox, then for the slowest consumer. */
  async #obstacle(events: EntityEvents): Promise<Obstacle | undefined> {
    const unsent = await this.#repository.unsent(LIMITS.republishBacklog);
    if (unsent >= LIMITS.republishBacklog) return { waits_for: 'outbox', events: unsent };
    try {
      const manager = await managerOf(await this.#nats.ready(), this.#nats.storage);
      const { largest, foreign } = await backlogsOf(manager, STREAMS[events.context], events);
      this.#ignore(events, foreign);
      if (largest === undefined || largest.events < LIMITS.republishBacklog) return undefined;
      return { waits_for: largest.consumer, events: largest.events };
    } catch (error) {
      return { waits_for: `NATS: ${errorMessage(error)}` };
    }
  }

  /** Prints once each consumer that no replica of this version reads, and for which no batch waits. */
  #ignore({ entity }: EntityEvents, foreign: readonly ConsumerBacklog[]): void {
    for (const { consumer, events } of foreign) {
      if (!this.#ignored.has(consumer)) print({ entity, ignores: consumer, events });
      this.#ignored.add(consumer);
    }
  }

  /** Idempotent, so any transient error is retried, above all a locked row. */
  async #send(one: Republication, after: Key, size: number): Promise<readonly AggregateSnapshot[]> {
    const backoff = new Backoff(LIMITS.republishRetry, LIMITS.republishRetryMax);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#outbox.transaction(async (manager) => {
          await this.#repository.limitLockWait(manager, LIMITS.republishLockWait);
          const batch = await one.batch(manager, after, size);
          const events = batch.map(({ event }) => event);
          await this.#outbox.addAll(manager, one.events, 'republished', events);
          return batch;
        });
      } catch (error) {
        if (attempt === LIMITS.republishAttempts || !isDatabaseUnavailable(error)) throw error;
        await pause(backoff.next());
      }
    }
  }
}

/** New events wait as long as a batch takes, so the size follows its duration. */
function nextSize(size: number, milliseconds: number): number {
  if (milliseconds > LIMITS.republishTurn) return Math.max(LIMITS.republishLeast, Math.floor(size / 2));
  return milliseconds < LIMITS.republishTurn / 2 ? Math.min(LIMITS.republishBatch, size * 2) : size;
}
