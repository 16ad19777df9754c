import type { EntityEvents, StreamName } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { EventOf } from '../consumers/event-handler.js';
import type { ReadModelTable } from '../consumers/consumes.decorator.js';

/** One table that holds the state of one entity's events. */
export interface ReadModelPart extends ReadModelTable {
  /** The consumer of the table: a rebuild reads with the same permission. */
  readonly reader: string;
  readonly stream: StreamName;
  readonly events: EntityEvents;
  /** An older event never overwrites a newer one. */
  apply(events: readonly EventOf<readonly EntityEvents[]>[], tx: EntityManager): Promise<void>;
}

/** Tables that `rebuild <name>` rebuilds together. */
export interface ReadModelTables {
  readonly name: string;
  readonly parts: readonly ReadModelPart[];
}
