import type { DomainEvent } from '@lyceum/contracts';
import { writeNewest } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '#src/read-models/rows-of.js';
import { ofKnownPeople } from './known-people.js';
import { withoutErased } from './member-erasures.js';

interface DataOfMember {
  readonly site_id: string;
  readonly person_id: string | null;
}

type EventOfMember<Data> = Pick<DomainEvent<Data>, 'data' | 'epoch' | 'aggregate_version' | 'occurred_at'>;

interface TableOfPeople<Data> {
  readonly table: string;
  /** The primary key, a member of the data. */
  readonly id: keyof Data & string;
}

/**
 * Writes the rows of the events that name a person. Skips unknown people: their events are published again, as
 * `linked`, when the person is known. An event that names none deletes the row of an earlier state: the school has
 * erased the student, or has changed the address.
 */
export async function writeRowsOfPeople<Data extends DataOfMember>(
  tx: EntityManager,
  { table, id }: TableOfPeople<Data>,
  events: readonly EventOfMember<Data>[],
  columns: readonly (keyof Data & string)[],
): Promise<void> {
  const current = await withoutErased(events, tx);
  await writeNewest(tx, { table, key: [id] }, rowsOf(ofKnownPeople(current), columns));
  const ended = events.filter(({ data }) => data.person_id === null);
  if (ended.length === 0) return;
  // A republished event has the version of the row.
  await tx.query(
    `with ended as materialized (
       select t.${id} as id from ${table} t
       join jsonb_to_recordset($1::jsonb) as e (id uuid, epoch bigint, version int) on e.id = t.${id}
       where (t.epoch, t.version) <= (e.epoch, e.version) order by t.${id} for update of t)
     delete from ${table} t using ended where t.${id} = ended.id`,
    [JSON.stringify(ended.map(({ data, epoch, aggregate_version: version }) => ({ id: data[id], epoch, version })))],
  );
}
