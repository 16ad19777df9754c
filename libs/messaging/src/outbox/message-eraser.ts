import { Injectable } from '@nestjs/common';
import { consumersOf, deadLetterStream, deadLetterSubject, streamOf } from '@lyceum/contracts';
import type { ServiceName } from '@lyceum/contracts';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { StreamAPI } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { MessagingSettings } from '../connection/configuration.js';
import { readBatch } from '../connection/direct-read.js';
import type { StoredMessage } from '../connection/direct-read.js';
import { LIMITS } from '../connection/limits.js';
import { Nats } from '../connection/nats.js';
import { managerOf } from '../connection/storage.js';
import type { Step } from './pass-lease.js';

/** Returns true for a stored event that is to be deleted. The body is undefined if it is not JSON. */
export type IsErased = (body: unknown) => boolean;

/** Deletes events from the stream of the service and from its dead letters. */
@Injectable()
export class MessageEraser {
  constructor(
    private readonly nats: Nats,
    private readonly settings: MessagingSettings,
  ) {}

  get connected(): boolean {
    return this.nats.connection !== undefined;
  }

  /**
   * Reads both streams to their ends. Returns the number of deleted events.
   *
   * @param step runs before each batch. The work ends when it returns false.
   * @param subjects filters of the events to read. All are read without them, and all dead letters in each case: their
   *   subjects name the consumer.
   * @throws Error without a connection
   */
  async erase(isErased: IsErased, step: Step, subjects?: readonly string[]): Promise<number> {
    const { connection } = this.nats;
    if (connection === undefined) throw new Error('NATS is not connected');
    let deleted = 0;
    for (const [stream, filter] of this.#reads(subjects)) {
      deleted += await this.#pass(connection, { stream, filter, isErased }, step);
    }
    return deleted;
  }

  #reads(subjects: readonly string[] | undefined): (readonly [stream: string, filter: string])[] {
    const { service } = this.settings;
    const own = streamOf(service);
    const reads = consumersOf(service as ServiceName).length > 0;
    return [
      ...(own === undefined ? [] : filtersOf(own, subjects).map((filter) => [own, filter] as const)),
      ...(reads ? [[deadLetterStream(service), deadLetterSubject(service, '>')] as const] : []),
    ];
  }

  async #pass(
    connection: NatsConnection,
    { stream, filter, isErased }: { readonly stream: string; readonly filter: string; readonly isErased: IsErased },
    step: Step,
  ): Promise<number> {
    const { streams } = await managerOf(connection, this.nats.storage);
    let deleted = 0;
    for (let seq = 1; await step();) {
      const from = { stream, seq, batch: LIMITS.replayBatch, filter };
      const messages = await readBatch(connection, this.nats.storage, from);
      for (const message of messages) {
        if (isErased(bodyOf(message)) && (await deleteMessage(streams, stream, message.seq))) deleted += 1;
      }
      const last = messages.at(-1);
      if (last === undefined) break;
      seq = last.seq + 1;
    }
    return deleted;
  }
}

/** The filters of a stream among the subjects of all. A consumer erases dead letters of events in other streams. */
function filtersOf(stream: string, subjects: readonly string[] | undefined): readonly string[] {
  const prefix = `${stream.toLowerCase()}.`;
  return subjects?.filter((subject) => subject.startsWith(prefix)) ?? [`${prefix}>`];
}

/** Another pass has deleted the message, or it has reached its age. The server reports the second as any failure. */
const MISSING = /^(?:sequence \d+ not found|no message found)$/;

/** Returns false for a message that is deleted already. */
async function deleteMessage(streams: StreamAPI, stream: string, seq: number): Promise<boolean> {
  try {
    return await streams.deleteMessage(stream, seq, true);
  } catch (error) {
    if (error instanceof JetStreamApiError && MISSING.test(error.message)) return false;
    throw error;
  }
}

/** Returns undefined for a dead letter whose body is not JSON. */
function bodyOf(message: StoredMessage): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
