import { consumerName, republicationSchema, republicationSubject } from '@lyceum/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ReadModelPart } from './read-models.js';
import { readBatch } from '../connection/direct-read.js';
import { LIMITS } from '../connection/limits.js';
import { isMissing } from '../connection/missing-resources.js';
import { managerOf } from '../connection/storage.js';
import type { Storage } from '../connection/storage.js';

/**
 * Reads the stored events of one entity without a consumer: from its last republication on, or all of them. Earlier
 * events may name aggregates that a restore of the owner's database took back.
 */
export class StreamReplay {
  #read = 0;
  /** The next sequence number to read, and the last one that is known. */
  #next: number;
  #end = 0;

  private constructor(
    readonly part: ReadModelPart,
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly storage: Storage,
    /** The first sequence number of the last republication; 1 without one. */
    private readonly since: number,
  ) {
    this.#next = since;
  }

  static async open(connection: NatsConnection, storage: Storage, part: ReadModelPart): Promise<StreamReplay> {
    const manager = await managerOf(connection, storage);
    const mark = await manager.streams.getMessage(part.stream, { last_by_subj: republicationSubject(part.events) });
    const since = mark === null ? 1 : republicationSchema.parse(mark.json()).from;
    return new StreamReplay(part, connection, manager, storage, since);
  }

  /**
   * Returns true while the stream has its first message or a complete republication: an aggregate without events does
   * not exist then.
   */
  async isWhole(): Promise<boolean> {
    return (await this.manager.streams.info(this.part.stream)).state.first_seq <= this.since;
  }

  /** Sets the end of `toEnd` to that of the stream. */
  async extend(): Promise<void> {
    this.#end = (await this.manager.streams.info(this.part.stream)).state.last_seq;
  }

  /** Returns true when the consumer of the table has no event before it, and none in work. */
  async isSettled(service: string): Promise<boolean> {
    const { stream, reader } = this.part;
    try {
      const consumer = await this.manager.consumers.info(stream, consumerName(service, reader));
      return consumer.num_pending === 0 && consumer.num_ack_pending === 0;
    } catch (error) {
      if (isMissing(error)) return true;
      throw error;
    }
  }

  /** Reads the messages up to the end that `extend` has set; the next call continues there. */
  async toEnd(take: (subject: string, text: string) => Promise<void>): Promise<void> {
    const { stream, events } = this.part;
    const end = this.#end;
    const given = async (message: { seq: number; subject: string; string(): string }): Promise<void> => {
      if (message.seq < this.#next) throw new Error(`${stream} came out of order at ${message.seq}; run it again`);
      this.#next = message.seq + 1;
      this.#read += 1;
      await take(message.subject, message.string());
    };
    while (this.#next <= end) {
      const { filter } = events;
      const from = { stream, seq: this.#next, batch: LIMITS.replayBatch, filter };
      const messages = await readBatch(this.connection, this.storage, from);
      for (const message of messages) await given(message);
      if (messages.length > 0) continue;
      // A replica may lag behind, so the leader decides.
      const query = { seq: this.#next, next_by_subj: filter };
      const left = await this.manager.streams.getMessage(stream, query);
      if (left === null || left.seq > end) this.#next = end + 1;
      else await given(left);
    }
  }

  get read(): number {
    return this.#read;
  }
}
