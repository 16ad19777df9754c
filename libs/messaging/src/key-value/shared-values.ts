import { Injectable } from '@nestjs/common';
import { SHARED_VALUES_STREAM, sharedValueSubject } from '@lyceum/contracts';
import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { MessagingSettings } from '../connection/configuration.js';
import { LIMITS } from '../connection/limits.js';
import { Nats } from '../connection/nats.js';
import { managerOf } from '../connection/storage.js';

export interface SharedValue {
  readonly text: string;
  readonly revision: number;
}

/**
 * Small values that the replicas of a service change by compare-and-set, in the memory of NATS: they expire, and a
 * restart of the server loses them. Without NATS each method throws; it does not wait for a connection.
 */
@Injectable()
export class SharedValues {
  readonly #service: string;
  readonly #timeout: number;

  constructor(
    private readonly nats: Nats,
    { service, nats: { SHARED_VALUE_TIMEOUT_MS } }: MessagingSettings,
  ) {
    this.#service = service;
    this.#timeout = SHARED_VALUE_TIMEOUT_MS ?? LIMITS.sharedValueTimeout;
  }

  async read(key: string): Promise<SharedValue | undefined> {
    const { api } = this.nats.storage;
    const { direct } = await managerOf(this.#connection(), { api, timeout: this.#timeout });
    const found = await direct.getMessage(SHARED_VALUES_STREAM, { last_by_subj: this.#subjectOf(key) });
    return found === null ? undefined : { text: found.string(), revision: found.seq };
  }

  /**
   * Writes the value if `revision` is its current one; 0 stands for a missing value. Returns the new revision, or
   * undefined when another replica was faster.
   */
  async write(key: string, text: string, revision: number): Promise<number | undefined> {
    try {
      const { seq } = await jetstream(this.#connection(), { timeout: this.#timeout }).publish(
        this.#subjectOf(key),
        text,
        {
          expect: { lastSubjectSequence: revision },
        },
      );
      return seq;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence)
        return undefined;
      throw error;
    }
  }

  #subjectOf(key: string): string {
    return sharedValueSubject(this.#service, key);
  }

  #connection(): NatsConnection {
    const { connection } = this.nats;
    if (connection === undefined) throw new Error('NATS is not connected');
    return connection;
  }
}
