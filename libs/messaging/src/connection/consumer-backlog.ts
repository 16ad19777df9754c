import type { EntityEvents } from '@lyceum/contracts';
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import type { StreamName } from './configuration.js';

/** Backlog of a consumer: events not delivered plus events not acknowledged. */
export interface ConsumerBacklog {
  readonly consumer: string;
  readonly events: number;
}

/** The largest backlog among the consumers of the entity; undefined without consumers. */
export async function largestBacklog(
  { consumers }: Pick<JetStreamManager, 'consumers'>,
  stream: StreamName,
  { filter }: EntityEvents,
): Promise<ConsumerBacklog | undefined> {
  let largest: ConsumerBacklog | undefined;
  for await (const info of consumers.list(stream)) {
    const { name, num_pending, num_ack_pending } = info;
    const events = num_pending + num_ack_pending;
    if (reads(info, filter) && events >= (largest?.events ?? 0)) largest = { consumer: name, events };
  }
  return largest;
}

/** Durable consumers only: the ephemeral consumer of a rebuild delays no events. */
function reads({ config }: ConsumerInfo, filter: string): boolean {
  const { durable_name, filter_subject, filter_subjects = [] } = config;
  return durable_name !== undefined && [filter_subject, ...filter_subjects].includes(filter);
}
