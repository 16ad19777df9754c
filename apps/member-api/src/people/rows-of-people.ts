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
 * `linked`, when the person is known. An event that names none ends the row of an earlier state, also of one that
 * arrives later: the school has erased the student, or has changed the address.
 */
export async function writeRowsOfPeople<Data extends DataOfMember>(
  tx: EntityManager,
  { table, id }: TableOfPeople<Data>,
  events: readonly EventOfMember<Data>[],
  columns: readonly (keyof Data & string)[],
): Promise<void> {
  if (events.length === 0) return;
  const current = await withoutErased(events, tx);
  await writeNewest(tx, { table, key: [id] }, rowsOf(ofKnownPeople(current), columns));
  // Another statement, so that it sees what a transaction has committed for which the rows have waited. A republished
  // event has the version of the row. A first state without a row has no earlier one.
  await tx.query(
    `with given as materialized (
       select * from jsonb_to_recordset($1::jsonb) as e (site_id uuid, id uuid, epoch bigint, version int, unlinks boolean)),
     unlinked as (
       select id, epoch, version from given where unlinks
       union all
       select u.id, u.epoch, u.version from unlinked_states u
       where (u.site_id, u.id) in (select site_id, id from given)),
     ended as materialized (
       select t.${id} as id from ${table} t join unlinked e on e.id = t.${id}
       where (t.epoch, t.version) <= (e.epoch, e.version) order by t.${id} for update of t),
     kept as (
       insert into unlinked_states as old (site_id, id, epoch, version)
       select distinct on (site_id, id) site_id, id, epoch, version from given
       where unlinks and (version > 1 or id in (select id from ended))
       order by site_id, id, epoch desc, version desc
       on conflict (site_id, id) do update set epoch = excluded.epoch, version = excluded.version
       where (old.epoch, old.version) < (excluded.epoch, excluded.version))
     delete from ${table} t using ended where t.${id} = ended.id`,
    [JSON.stringify(events.map((event) => stateOf(event, id)))],
  );
}

function stateOf<Data extends DataOfMember>(
  { data, epoch, aggregate_version: version }: EventOfMember<Data>,
  id: keyof Data & string,
) {
  return { site_id: data.site_id, id: data[id], epoch, version, unlinks: data.person_id === null };
}
