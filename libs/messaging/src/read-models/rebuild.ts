import { Injectable } from '@nestjs/common';
import { eventType, eventsOf, ownerOf, siteEvents } from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import type { QueryRunner } from 'typeorm';
import { pause } from '../connection/backoff.js';
import { MessagingSettings } from '../connection/configuration.js';
import type { ReadModelTables, ReadModelPart } from './read-models.js';
import { UnreadableEvent, readEvent } from '../consumers/event-handler.js';
import type { EventOf } from '../consumers/event-handler.js';
import { LIMITS } from '../connection/limits.js';
import { Nats } from '../connection/nats.js';
import { RebuildRepository } from './rebuild.repository.js';
import { StreamReplay } from './stream-replay.js';

/** Result of one table. */
export interface Rebuilt {
  readonly table: string;
  readonly events: number;
  /** Events that cannot be parsed; the consumer stored them as dead letters. */
  readonly unreadable: number;
  readonly written: number;
  readonly removed: number;
  /**
   * False when the stream has lost its beginning and its owner has not republished since: rows without events were
   * kept.
   */
  readonly whole: boolean;
  /** Next step to complete the table. */
  readonly next?: string;
  /** Deleted sites with other events in the stream: they were left out, as the consumer leaves them out. */
  readonly deleted_sites?: readonly string[];
}

const DELETED = eventType(siteEvents, 'deleted');

/**
 * Rebuilds a read model from the events in the streams while it serves reads and new events arrive. First all events
 * are applied to shadow tables, concurrently with the consumers. Then writers are blocked when no event is on its way
 * to them, the events that arrived meanwhile are applied, and the tables are made equal to their shadows in one
 * transaction. A query sees the rows before or after it, and no event is lost.
 */
@Injectable()
export class Rebuild {
  readonly #nats: Nats;
  readonly #settings: MessagingSettings;
  readonly #repository: RebuildRepository;

  constructor(nats: Nats, settings: MessagingSettings, repository: RebuildRepository) {
    this.#nats = nats;
    this.#settings = settings;
    this.#repository = repository;
  }

  async run(model: ReadModelTables): Promise<Rebuilt[]> {
    const { service } = this.#settings;
    for (const { stream, reader } of model.parts) {
      if (eventsOf(service, stream, reader) === undefined)
        throw new Error(`${service} has no consumer "${reader}" of ${stream}`);
    }
    const connection = await this.#nats.ready();
    return this.#repository.session(model.name, async (session) => {
      const schema = await this.#repository.schema(session);
      const replays: StreamReplay[] = [];
      for (const part of model.parts) {
        await this.#repository.shadow(session, schema, part);
        replays.push(await StreamReplay.open(connection, this.#nats.storage, part));
      }
      return this.#fill(session, schema, replays);
    });
  }

  async #fill(session: QueryRunner, schema: string, replays: readonly StreamReplay[]): Promise<Rebuilt[]> {
    const deleted = await this.#repository.deletedSites(session);
    const batches = replays.map((replay) => ({ replay, batch: new ReplayBatch(session, replay.part, deleted) }));
    const catchUp = async (): Promise<void> => {
      for (const { replay, batch } of batches) {
        await replay.toEnd((subject, text) => batch.add(subject, text));
        await batch.apply();
      }
    };
    for (const replay of replays) await replay.extend();
    await catchUp();
    for (const { part } of replays) await this.#repository.measure(session, part);
    await this.#hold(session, schema, replays);
    await catchUp();
    const rebuilt: Rebuilt[] = [];
    for (const { replay, batch } of batches) {
      const whole = await replay.isWhole();
      const difference = await this.#repository.settle(session, schema, replay.part, whole);
      const { table } = replay.part;
      const events = replay.read;
      const { unreadable, leftOut } = batch;
      const next = whole ? {} : { next: remedy(replay.part) };
      const obsolete = leftOut.size === 0 ? {} : { deleted_sites: [...leftOut] };
      rebuilt.push({ table, events, unreadable, ...difference, whole, ...next, ...obsolete });
    }
    await session.commitTransaction();
    return rebuilt;
  }

  /**
   * Begins the transaction that blocks the writers. A consumer compares an event with the row before it, to notify of
   * what changed. So no event may be on its way to a consumer: the rebuild would write its state first. After some
   * attempts one may be: the service does not run, or an event fails.
   */
  async #hold(session: QueryRunner, schema: string, replays: readonly StreamReplay[]): Promise<void> {
    const parts = replays.map(({ part }) => part);
    for (let attempt = 1; ; attempt += 1) {
      await session.startTransaction();
      await this.#repository.hold(session, schema, parts);
      for (const replay of replays) await replay.extend();
      if (attempt === LIMITS.rebuildAttempts || (await this.#areSettled(replays))) return;
      await session.rollbackTransaction();
      await pause(LIMITS.rebuildRetry);
    }
  }

  async #areSettled(replays: readonly StreamReplay[]): Promise<boolean> {
    for (const replay of replays) if (!(await replay.isSettled(this.#settings.service))) return false;
    return true;
  }
}

function remedy({ stream, events }: ReadModelPart): string {
  return `run "republish ${events.entity}" at ${ownerOf(stream) ?? 'its owner'}, then this again`;
}

/** Applies the events of one table to its shadow in batches. */
class ReplayBatch {
  unreadable = 0;
  /** Deleted sites whose events were left out. */
  readonly leftOut = new Set<string>();
  readonly #session: QueryRunner;
  readonly #part: ReadModelPart;
  readonly #deleted: ReadonlySet<string>;
  #events: EventOf<[EntityEvents]>[] = [];

  constructor(session: QueryRunner, part: ReadModelPart, deleted: ReadonlySet<string>) {
    this.#session = session;
    this.#part = part;
    this.#deleted = deleted;
  }

  async add(subject: string, text: string): Promise<void> {
    try {
      const event = readEvent([this.#part.events], subject, text);
      const { site_id, type } = event;
      if (site_id === null || !this.#deleted.has(site_id)) this.#events.push(event);
      // The stream keeps the event of the deletion.
      else if (type !== DELETED) this.leftOut.add(site_id);
    } catch (error) {
      // The consumer could not parse it either, so the read model never had it.
      if (!(error instanceof UnreadableEvent)) throw error;
      this.unreadable += 1;
    }
    if (this.#events.length === LIMITS.replayBatch) await this.apply();
  }

  async apply(): Promise<void> {
    const events = this.#events;
    this.#events = [];
    if (events.length > 0) await this.#part.apply(events, this.#session.manager);
  }
}
