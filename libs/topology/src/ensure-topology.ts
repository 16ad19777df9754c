import { TOPOLOGY, TOPOLOGY_LIMITS } from '@lyceum/contracts';
import type { ConsumerDeclaration, StreamDeclaration, Topology } from '@lyceum/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { ConsumerConfig, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';

/** Time limit of one server request. */
const REQUEST_TIMEOUT_MS = 5_000;

/** One line per stream and consumer that the step created or changed. */
export type Changes = readonly string[];

/**
 * Creates missing resources and updates different ones, then reads each configuration back: a server ignores unknown
 * fields. A second run changes nothing.
 */
export async function ensureTopology(
  connection: NatsConnection,
  replicas: number,
  { streams, consumers }: Topology = TOPOLOGY,
): Promise<Changes> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
  const changes = await Promise.all(streams.map((declared) => ensureStream(manager, streamConfig(declared, replicas))));
  // A consumer needs its stream.
  const more = await Promise.all(consumers.map((declared) => ensureConsumer(manager, declared)));
  return [...changes, ...more].filter((change) => change !== undefined);
}

type DeclaredStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

function streamConfig(declared: StreamDeclaration, replicas: number): DeclaredStream {
  const { name, description, subjects, maxAge, duplicateWindow, maxMessageBytes, memory, bucket } = declared;
  return {
    name,
    description,
    subjects: [...subjects],
    storage: memory === undefined ? StorageType.File : StorageType.Memory,
    ...(memory === undefined ? {} : { max_bytes: memory.maxBytes, max_msgs_per_subject: 1 }),
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    max_age: nanos(maxAge),
    duplicate_window: nanos(duplicateWindow),
    max_msg_size: maxMessageBytes,
    allow_direct: true,
    ...(bucket === undefined ? { discard: DiscardPolicy.Old } : bucketConfig(bucket)),
  };
}

function bucketConfig({ keys, changes, leases }: NonNullable<StreamDeclaration['bucket']>): Partial<StreamConfig> {
  return {
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    allow_rollup_hdrs: true,
    deny_delete: true,
    // Mirrors are notified of a change here, and read the value by its revision.
    republish: { src: keys, dest: changes, headers_only: true },
    ...(leases ? { allow_msg_ttl: true, subject_delete_marker_ttl: nanos(TOPOLOGY_LIMITS.leaseMarker) } : {}),
  };
}

async function ensureStream(manager: JetStreamManager, declared: DeclaredStream): Promise<string | undefined> {
  const { name } = declared;
  const existing = await found(manager.streams.info(name), JetStreamApiCodes.StreamNotFound);
  const stale = existing === undefined ? [] : differences(declared, existing.config);
  if (existing !== undefined && stale.length === 0) return undefined;
  if (existing === undefined) await manager.streams.add(declared);
  else await manager.streams.update(name, declared);
  const { config } = await manager.streams.info(name);
  const ignored = differences(declared, config);
  if (ignored.length > 0) throw new Error(`the server did not take ${ignored.join(', ')} of stream ${name}`);
  return existing === undefined ? `created stream ${name}` : `updated stream ${name}: ${stale.join(', ')}`;
}

async function ensureConsumer(manager: JetStreamManager, declared: ConsumerDeclaration): Promise<string | undefined> {
  const { stream, name, description, filters, ackWait, ackPending } = declared;
  const wanted: Partial<ConsumerConfig> = {
    durable_name: name,
    description,
    filter_subjects: [...filters],
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWait),
    max_ack_pending: ackPending,
    // Unlimited: otherwise the server drops an event silently. Services count deliveries and store dead letters.
    max_deliver: -1,
  };
  const existing = await found(manager.consumers.info(stream, name), JetStreamApiCodes.ConsumerNotFound);
  const stale = existing === undefined ? [] : differences(wanted, existing.config);
  if (existing !== undefined && stale.length === 0) return undefined;
  if (existing === undefined) await manager.consumers.add(stream, wanted);
  else await manager.consumers.update(stream, name, wanted);
  const { config } = await manager.consumers.info(stream, name);
  const ignored = differences(wanted, config);
  if (ignored.length > 0) throw new Error(`the server did not take ${ignored.join(', ')} of consumer ${name}`);
  return existing === undefined ? `created consumer ${name}` : `updated consumer ${name}: ${stale.join(', ')}`;
}

async function found<T>(info: Promise<T>, missing: JetStreamApiCodes): Promise<T | undefined> {
  try {
    return await info;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === missing) return undefined;
    throw error;
  }
}

/** Members of the declaration that differ on the server, which omits false, zero and empty values. */
function differences<T extends object>(declared: T, actual: Partial<T>): string[] {
  const written = (value: unknown): string => (value === undefined || value === false ? '0' : JSON.stringify(value));
  const keys = Object.keys(declared) as (keyof T & string)[];
  return keys.filter((key) => written(actual[key]) !== written(declared[key]));
}
