import { TOPOLOGY } from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import type { StreamName } from './configuration.js';

/** Backlog of a consumer: events not delivered plus events not acknowledged. */
export interface ConsumerBacklog {
  readonly consumer: string;
  readonly events: number;
}

export interface Backlogs {
  /** The largest backlog among the consumers of the entity; undefined without consumers. */
  readonly largest: ConsumerBacklog | undefined;
  /** Consumers of the entity that only another version of a service has. After a rollback none reads them. */
  readonly foreign: readonly ConsumerBacklog[];
}

const DECLARED = new Set(TOPOLOGY.consumers.map(({ stream, name }) => `${stream} ${name}`));

export async function backlogsOf(
  { consumers }: Pick<JetStreamManager, 'consumers'>,
  stream: StreamName,
  { filter }: EntityEvents,
): Promise<Backlogs> {
  let largest: ConsumerBacklog | undefined;
  const foreign: ConsumerBacklog[] = [];
  for await (const info of consumers.list(stream)) {
    if (!reads(info, filter)) continue;
    const backlog = { consumer: info.name, events: info.num_pending + info.num_ack_pending };
    if (!DECLARED.has(`${stream} ${info.name}`)) foreign.push(backlog);
    else if (backlog.events >= (largest?.events ?? 0)) largest = backlog;
  }
  return { largest, foreign };
}

/** Durable consumers only: the ephemeral consumer of a rebuild delays no events. */
function reads({ config }: ConsumerInfo, filter: string): boolean {
  const { durable_name, filter_subject, filter_subjects = [] } = config;
  return durable_name !== undefined && [filter_subject, ...filter_subjects].includes(filter);
}
