import type { EntityEvents } from '@lyceum/contracts';
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import type { StreamName } from './configuration.js';

/** What waits for a reader: events that it has not got, and events that it has not acknowledged. */
export interface ConsumerBacklog {
  readonly consumer: string;
  readonly events: number;
}

/** The reader of the entity for which most events wait; undefined when there is no reader. */
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

/** Durable consumers only: a rebuild reads everything too, and delays no news. */
function reads({ config }: ConsumerInfo, filter: string): boolean {
  const { durable_name, filter_subject, filter_subjects = [] } = config;
  return durable_name !== undefined && [filter_subject, ...filter_subjects].includes(filter);
}
