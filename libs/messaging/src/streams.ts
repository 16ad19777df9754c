import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { DEAD_LETTER_STREAM, deadLetterSubject } from '@lyceum/contracts';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Backoff, pause } from './backoff.js';
import { MessagingSettings } from './configuration.js';
import type { StreamName } from './configuration.js';
import { LIMITS } from './limits.js';
import { Nats } from './nats.js';

const SUBJECTS: Record<StreamName, string> = { IDENTITY: 'identity.>', SCHOOL: 'school.>', LEARNER: 'learner.>' };

type Declared = Pick<
  StreamConfig,
  | 'name'
  | 'description'
  | 'subjects'
  | 'storage'
  | 'retention'
  | 'discard'
  | 'num_replicas'
  | 'max_age'
  | 'duplicate_window'
  | 'max_msg_size'
>;

/** The stream of a context's events: kept for a while, so that a new reader catches up without asking the owner. */
export function eventStream(name: StreamName, replicas: number): Declared {
  return {
    name,
    description: 'Domain events; the owner can send its whole state again',
    subjects: [SUBJECTS[name]],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    max_age: nanos(LIMITS.streamMaxAge),
    duplicate_window: nanos(LIMITS.duplicateWindow),
    max_msg_size: LIMITS.eventBytes * 2,
  };
}

export function deadLetterStream(replicas: number): Declared {
  return {
    ...eventStream('IDENTITY', replicas),
    name: DEAD_LETTER_STREAM,
    description: 'Events that a consumer could not apply, with the error',
    subjects: [deadLetterSubject('*', '*')],
    max_age: nanos(LIMITS.deadLetterMaxAge),
  };
}

/** Creates the streams that the service owns, and the dead letters, whenever NATS is there and they are not. */
@Injectable()
export class Streams implements BeforeApplicationShutdown {
  readonly #logger = new Logger(Streams.name);
  readonly #nats: Nats;
  readonly #settings: MessagingSettings;
  readonly #stop = new AbortController();

  constructor(nats: Nats, settings: MessagingSettings) {
    this.#nats = nats;
    this.#settings = settings;
    nats.onConnect(() => void this.#ensureAll());
  }

  beforeApplicationShutdown(): void {
    this.#stop.abort();
  }

  /** After every connect: the server may have come back with an empty disk. */
  async #ensureAll(): Promise<void> {
    const backoff = new Backoff(LIMITS.setupRetry, LIMITS.setupRetryMax);
    const { replicas, streams } = this.#settings;
    for (let reported = false; !this.#stop.signal.aborted;) {
      const connection = this.#nats.connection;
      // The next connect begins anew.
      if (connection === undefined) return;
      try {
        const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LIMITS.jetStreamTimeout });
        for (const name of streams) await ensureStream(manager, eventStream(name, replicas), 'owner');
        await ensureStream(manager, deadLetterStream(replicas), 'anybody');
        return;
      } catch (error) {
        if (!reported) this.#logger.error({ msg: 'a stream could not be made; trying again', err: error });
        reported = true;
        await pause(backoff.next(), this.#stop.signal);
      }
    }
  }
}

/**
 * Creates the stream, or, as its owner, updates it; then reads its configuration back, because a server ignores what it
 * does not know.
 */
export async function ensureStream(
  manager: Pick<JetStreamManager, 'streams'>,
  declared: Declared,
  who: 'owner' | 'anybody',
): Promise<void> {
  const existing = await manager.streams.info(declared.name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  });
  if (existing === undefined) await manager.streams.add(declared);
  else if (who === 'anybody') return;
  else if (differences(declared, existing.config).length > 0) await manager.streams.update(declared.name, declared);
  const { config } = await manager.streams.info(declared.name);
  const ignored = differences(declared, config);
  if (ignored.length > 0) throw new Error(`the server did not take ${ignored.join(', ')} of stream ${declared.name}`);
}

function differences(declared: Declared, actual: StreamConfig): string[] {
  const keys = Object.keys(declared) as (keyof Declared)[];
  return keys.filter((key) => JSON.stringify(actual[key]) !== JSON.stringify(declared[key]));
}
