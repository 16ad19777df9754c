import { DUTIES } from './duties.js';
import type { Duties, StreamName } from './duties.js';
import {
  SERVICES,
  SHARED_VALUES_STREAM,
  bucketChanges,
  bucketStream,
  consumerName,
  deadLetterStream,
  deadLetterSubject,
  sharedValueSubject,
} from '../platform/services.js';
import type { ServiceName } from '../platform/services.js';
import { SITES_BUCKET } from '../identity/sites.js';
import { TOOLS_BUCKET } from '../tools/tools.js';

const DAY = 24 * 3_600_000;
const KIBIBYTE = 1_024;
const MEBIBYTE = 1_024 * KIBIBYTE;

/** Limits of NATS's storage. Times in milliseconds, sizes in bytes. */
export const TOPOLOGY_LIMITS = {
  /**
   * Largest event: far below the server's default `max_payload` of 1 MiB, so that a committed event can be published.
   */
  eventBytes: 256 * KIBIBYTE,
  eventAge: 30 * DAY,
  deadLetterAge: 90 * DAY,
  duplicateWindow: 10 * 60_000,
  /** The catalog of the tools of admin-api is the largest: 400 tools have about 1.5 MiB, and 180 KiB compressed. */
  bucketValueBytes: 256 * KIBIBYTE,
  /** JSON of a value, which is compressed in the bucket. */
  bucketJsonBytes: 4 * MEBIBYTE,
  /** Headers of a value. */
  bucketHeaderBytes: KIBIBYTE,
  bucketDuplicateWindow: 2 * 60_000,
  /** Lifetime of an ended lease's marker, for mirrors that were disconnected when it ended. */
  leaseMarker: 60_000,
  sharedValueBytes: KIBIBYTE,
  /** All shared values: about 500,000. Beyond it the server drops the oldest ones. */
  sharedValuesBytes: 64 * MEBIBYTE,
  /** Longer than the longest window of a rate limit. */
  sharedValueAge: 2 * 3_600_000,
  /** An unacknowledged delivery is repeated after this time. */
  ackWait: 10_000,
  /** Unacknowledged deliveries of one consumer, over all replicas: room for several batches. */
  ackPending: 2_048,
} as const;

export interface StreamDeclaration {
  readonly name: string;
  readonly description: string;
  readonly subjects: readonly string[];
  readonly maxAge: number;
  readonly duplicateWindow: number;
  readonly maxMessageBytes: number;
  /** Set for a stream that is kept in memory, with the last message of each subject. */
  readonly memory?: { readonly maxBytes: number };
  /** Set for the stream of a KV bucket. */
  readonly bucket?: { readonly keys: string; readonly changes: string; readonly leases: boolean };
}

/** A durable pull consumer with explicit acknowledgement, from the first message of the stream. */
export interface ConsumerDeclaration {
  readonly stream: StreamName;
  readonly name: string;
  readonly description: string;
  readonly filters: readonly string[];
  readonly ackWait: number;
  readonly ackPending: number;
}

export interface Topology {
  readonly streams: readonly StreamDeclaration[];
  readonly consumers: readonly ConsumerDeclaration[];
}

/** Events are stored for a while, so that a new consumer catches up without their owner. */
function eventStream(service: ServiceName, { context, stream }: NonNullable<Duties['owns']>): StreamDeclaration {
  return {
    name: stream,
    description: `Domain events of ${service}; the owner can publish its whole state again`,
    subjects: [`${context}.>`],
    maxAge: TOPOLOGY_LIMITS.eventAge,
    duplicateWindow: TOPOLOGY_LIMITS.duplicateWindow,
    maxMessageBytes: TOPOLOGY_LIMITS.eventBytes * 2,
  };
}

function deadLetters(service: ServiceName): StreamDeclaration {
  return {
    name: deadLetterStream(service),
    description: `Events that a consumer of ${service} could not apply, with the error`,
    subjects: [deadLetterSubject(service, '*')],
    maxAge: TOPOLOGY_LIMITS.deadLetterAge,
    duplicateWindow: TOPOLOGY_LIMITS.duplicateWindow,
    maxMessageBytes: TOPOLOGY_LIMITS.eventBytes * 2,
  };
}

function bucket(name: string, leases: boolean): StreamDeclaration {
  return {
    name: bucketStream(name),
    description: `The KV bucket ${name}`,
    subjects: [`$KV.${name}.>`],
    maxAge: 0,
    duplicateWindow: TOPOLOGY_LIMITS.bucketDuplicateWindow,
    maxMessageBytes: TOPOLOGY_LIMITS.bucketValueBytes + TOPOLOGY_LIMITS.bucketHeaderBytes,
    bucket: { keys: `$KV.${name}.>`, changes: bucketChanges(name), leases },
  };
}

const SHARED_VALUES: StreamDeclaration = {
  name: SHARED_VALUES_STREAM,
  description: 'Values that the replicas of a service share; lost when the server restarts',
  subjects: [sharedValueSubject('*', '*')],
  maxAge: TOPOLOGY_LIMITS.sharedValueAge,
  duplicateWindow: TOPOLOGY_LIMITS.bucketDuplicateWindow,
  maxMessageBytes: TOPOLOGY_LIMITS.sharedValueBytes,
  memory: { maxBytes: TOPOLOGY_LIMITS.sharedValuesBytes },
};

/** Services with consumers, and therefore with dead letters. */
export const READING_SERVICES = SERVICES.filter((service) => Object.keys(DUTIES[service].reads).length > 0);

function consumersOf(service: ServiceName): ConsumerDeclaration[] {
  return Object.entries(DUTIES[service].reads).flatMap(([stream, readers]) =>
    Object.entries(readers).map(([reader, events]) => ({
      stream: stream as StreamName,
      name: consumerName(service, reader),
      description: `${reader} of ${service}`,
      filters: events.map(({ filter }) => filter),
      ackWait: TOPOLOGY_LIMITS.ackWait,
      ackPending: TOPOLOGY_LIMITS.ackPending,
    })),
  );
}

/** All streams, buckets and consumers of the platform. Only the bootstrap step may create them. */
export const TOPOLOGY: Topology = {
  streams: [
    ...SERVICES.flatMap((service) => {
      const { owns } = DUTIES[service];
      return owns === undefined ? [] : eventStream(service, owns);
    }),
    ...READING_SERVICES.map(deadLetters),
    bucket(SITES_BUCKET, false),
    bucket(TOOLS_BUCKET, true),
    SHARED_VALUES,
  ],
  consumers: SERVICES.flatMap(consumersOf),
};
