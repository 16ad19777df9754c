import type { EntityEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { StreamName } from './configuration.js';
import type { EventOf } from './event-reader.js';

/** One table that repeats what the events of one entity say. */
export interface CopyPart<E extends EntityEvents = EntityEvents> {
  /** The consumer that keeps it: a rebuild reads under the same permission. */
  readonly reader: string;
  readonly stream: StreamName;
  readonly events: E;
  readonly table: string;
  /** Columns that no event knows, with SQL for a row that had been lost (`s` is what the events say). Others keep theirs. */
  readonly own?: Readonly<Record<string, string>>;
  /** Writes to `table` alone, named without its schema. An older event never overwrites a newer one. */
  apply(events: readonly EventOf<[E]>[], manager: EntityManager): Promise<void>;
}

/** Tables that `rebuild <name>` makes anew together. */
export interface Copy {
  readonly name: string;
  readonly parts: readonly CopyPart[];
}

/** A part as the others of its copy see it: it gets only what was parsed with its own schema. */
export function copyPart<const E extends EntityEvents>(part: CopyPart<E>): CopyPart {
  return part;
}
