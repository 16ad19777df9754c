/** The services: each has its own NATS user and NATS account of the same name. */
export const SERVICES = ['auth', 'admin-api', 'member-api', 'mcp-gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/**
 * Programs that send commands to services and do nothing else. Each has its own NATS user and account, as services do.
 */
export const PROGRAMS = ['storefront'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** Reply prefix of a service or program, to which no other user may subscribe: NATS client option `inboxPrefix`. */
export function inboxPrefix(service: string): string {
  return `_INBOX_${service}`;
}

/** The durable JetStream consumer of a service for one of its declared consumers. */
export function consumerName(service: string, reader: string): string {
  return `${service}-${reader}`;
}

/** The stream of the events that a service could not apply. */
export function deadLetterStream(service: string): string {
  return `DEAD_LETTERS_${service}`;
}

/** The subject of the dead letters of a consumer. `reader` may be `*` or `>`. */
export function deadLetterSubject(service: string, reader: string): string {
  return `dead-letters.${service}.${reader}`;
}

/** The stream of a KV bucket. */
export function bucketStream(bucket: string): string {
  return `KV_${bucket}`;
}

/** Core subjects on which the server announces the changes of a bucket: revision and key, without the value. */
export function bucketChanges(bucket: string): string {
  return `kv-changes.${bucket}.>`;
}

/** The stream of the values that replicas of a service share by compare-and-set. NATS keeps it in memory. */
export const SHARED_VALUES_STREAM = 'SHARED_VALUES';

/** The subject of a shared value. `key` may be `*`. */
export function sharedValueSubject(service: string, key: string): string {
  return `shared-values.${service}.${key}`;
}
