import { Injectable } from '@nestjs/common';
import { republicationSubject } from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import { isDatabaseUnavailable, wordsOf } from '@lyceum/platform';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EntityManager } from 'typeorm';
import { Backoff, pause } from './backoff.js';
import type { StreamName } from './configuration.js';
import { LIMITS } from './limits.js';
import { Nats } from './nats.js';
import { Outbox } from './outbox.js';
import type { NewEvent } from './outbox.js';
import { OutboxRepository } from './outbox.repository.js';
import { largestBacklog } from './consumer-backlog.js';
import { managerOf } from './storage.js';

/** The columns of a primary key, in its order. All are UUIDs. */
type Key = readonly string[];

/** An aggregate as it is now. */
export interface AggregateSnapshot<E extends EntityEvents = EntityEvents> {
  readonly key: Key;
  readonly event: NewEvent<E>;
}

/** How an owner sends all that it has of one entity once more. */
export interface Republication<E extends EntityEvents = EntityEvents> {
  readonly events: E;
  /**
   * The next rows after that key, in the order of keys, what is suspended or marked as deleted included. It takes them
   * `FOR SHARE`: who changes one waits for the end of the transaction, and so the change is told after this.
   */
  batch(manager: EntityManager, after: Key, limit: number): Promise<readonly AggregateSnapshot<E>[]>;
}

/** Why the next batch waits, in a line of progress. */
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

/** The usage of the command of all owners. */
export const REPUBLISH_USAGE = '<entity>… | all: send what there is once more, for copies';

/**
 * Sends what this service owns as `republished` events, while it is read and written. Each has the version that the
 * aggregate has: a copy that is right ignores it, one that lacks the row takes it, and what changes later wins. At the
 * end the stream is told from where on it speaks of everything; see docs/adr/0012-rebuilding-read-models.md.
 */
@Injectable()
export class Republisher {
  readonly #nats: Nats;
  readonly #outbox: Outbox;
  readonly #repository: OutboxRepository;

  constructor(nats: Nats, outbox: Outbox, repository: OutboxRepository) {
    this.#nats = nats;
    this.#outbox = outbox;
    this.#repository = repository;
  }

  /** `words` are names of entities, as the events have them, or `all`. Prints its progress, a line of JSON each. */
  async run(owned: readonly Republication[], words: readonly string[]): Promise<void> {
    const known = owned.map(({ events }) => events.entity);
    if (words.length === 0 || words.some((word) => word !== 'all' && !known.includes(word))) {
      throw new Error(`republish needs all, or some of ${known.join(', ')}`);
    }
    const wanted = owned.filter(({ events }) => words.includes('all') || words.includes(events.entity));
    const connection = await this.#nats.ready();
    for (const one of wanted) await this.#republish(connection, one);
  }

  async #republish(connection: NatsConnection, one: Republication): Promise<void> {
    const { entity, context } = one.events;
    const { streams } = await managerOf(connection, this.#nats.storage);
    // Before the first row is read: what is made while this runs tells of itself, after this place.
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
   * Waits until little waits in the outbox and little for each reader: then news does not wait behind this for long. As
   * long as it takes: while NATS or a reader is away nothing is lost, and nothing more is written.
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

  /** What the next batch waits for: the outbox, and then the reader that is furthest behind. */
  async #obstacle(events: EntityEvents): Promise<Obstacle | undefined> {
    const unsent = await this.#repository.unsent(LIMITS.republishBacklog);
    if (unsent >= LIMITS.republishBacklog) return { waits_for: 'outbox', events: unsent };
    try {
      const manager = await managerOf(await this.#nats.ready(), this.#nats.storage);
      const backlog = await largestBacklog(manager, STREAMS[events.context], events);
      if (backlog === undefined || backlog.events < LIMITS.republishBacklog) return undefined;
      return { waits_for: backlog.consumer, events: backlog.events };
    } catch (error) {
      return { waits_for: `NATS: ${wordsOf(error)}` };
    }
  }

  /** Idempotent, so whatever passes is tried again: above all a row that somebody else holds. */
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

/** The readers need the time for a batch and what news comes with it, so news waits that long. */
function nextSize(size: number, milliseconds: number): number {
  if (milliseconds > LIMITS.republishTurn) return Math.max(LIMITS.republishLeast, Math.floor(size / 2));
  return milliseconds < LIMITS.republishTurn / 2 ? Math.min(LIMITS.republishBatch, size * 2) : size;
}
