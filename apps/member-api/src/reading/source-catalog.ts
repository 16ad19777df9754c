import { Injectable } from '@nestjs/common';
import type { PrefixedType } from '#src/schema/global-id.js';
import { nodeUuid } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

/** Key of the sources that find an object of each type by `:id`. Not a type of the schema. */
export const BY_ID = '(by id)';

/** The sources of `Notification.subject`: for each type the row with the id in the notification. */
export function notificationSubject(type: string, from: (id: string) => string): Sources {
  return { Notification: { subject: { kind: 'one', from: { [type]: from('n.subject_id') } } } };
}

/** The sources of `node`: for each type the row with a UUID. */
export function nodes(rows: Partial<Record<PrefixedType, (uuid: string) => string>>): Sources {
  const found = Object.entries(rows).map(([type, from]) => [type, from(nodeUuid(type as PrefixedType))]);
  return { Query: { node: { kind: 'node', from: Object.fromEntries(found) as Record<string, string> } } };
}

/** The SQL of every field below `viewer`. The module of each feature adds its own fields. */
@Injectable()
export class SourceCatalog {
  readonly #sources: Record<string, Record<string, FieldSource>> = {};

  get sources(): Sources {
    return this.#sources;
  }

  /** Several features may add fields to one type, and types to one union. Throws when a field has two sources. */
  add(sources: Sources): void {
    for (const [type, fields] of Object.entries(sources)) {
      const known = (this.#sources[type] ??= {});
      for (const [field, source] of Object.entries(fields)) {
        const before = known[field];
        known[field] = before === undefined ? source : united(before, source, `${type}.${field}`);
      }
    }
  }
}

function united(one: FieldSource, other: FieldSource, field: string): FieldSource {
  const both = (one.kind === 'one' && other.kind === 'one') || (one.kind === 'node' && other.kind === 'node');
  if (!both || Object.keys(other.from).some((type) => type in one.from)) throw new Error(`${field} has two sources`);
  return { kind: one.kind, from: { ...one.from, ...other.from } };
}
