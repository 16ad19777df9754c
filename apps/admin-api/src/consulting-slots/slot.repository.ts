import type { OfSite } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Slot } from './slot.entity.js';

/** A slot that is about to be made. */
export type NewSlot = Pick<
  Slot,
  | 'id'
  | 'consulting_service_id'
  | 'lecturer_id'
  | 'starts_at'
  | 'ends_at'
  | 'capacity'
  | 'location'
  | 'join_url'
  | 'external_id'
  | 'metadata'
>;

type Times = Pick<Slot, 'lecturer_id' | 'starts_at' | 'ends_at'>;

/** In the order of ids, so that two requests with the same lecturers do not wait for each other. */
const LOCK_LECTURERS = {
  name: 'consulting_slots_lock_lecturers',
  text: `select id, member_id from lecturers where site_id = $1 and id = any($2::uuid[]) order by id for no key update`,
};

/** A slot lasts a day at most. */
const OTHERS = {
  name: 'consulting_slots_others',
  text: `select of.place::int as place, other.id
    from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[])
      with ordinality of (lecturer_id, starts_at, ends_at, place)
    cross join lateral (
      select id from consulting_slots
      where site_id = $1 and lecturer_id = of.lecturer_id and state = 'open' and starts_at < of.ends_at
        and ends_at > of.starts_at and starts_at > of.starts_at - interval '1 day' and id is distinct from $5 limit 1
    ) other`,
};

/** In the order of external ids, so that two requests with the same ones do not wait for each other. */
const INSERT = {
  name: 'consulting_slots_insert',
  text: `insert into consulting_slots (site_id, id, consulting_service_id, lecturer_id, starts_at, ends_at, capacity,
      location, join_url, external_id, metadata)
    select $1, id, consulting_service_id, lecturer_id, starts_at, ends_at, capacity, location, join_url, external_id,
      metadata
    from jsonb_to_recordset($2::jsonb) as g (id uuid, consulting_service_id uuid, lecturer_id uuid,
      starts_at timestamptz, ends_at timestamptz, capacity int, location text, join_url text, external_id text,
      metadata jsonb)
    order by external_id
    on conflict on constraint consulting_slots_external_id do nothing
    returning *`,
};

const COUNT = {
  name: 'consulting_slots_count',
  text: `update consulting_slots set booked_count = booked_count + $3 where site_id = $1 and id = $2`,
};

@Injectable()
export class SlotRepository {
  /** Slots of one lecturer are made and moved one after the other. Returns the member that each lecturer is. */
  async lockLecturers(
    tx: EntityManager,
    { site_id }: OfSite,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>> {
    if (ids.length === 0) return new Map();
    const values = [site_id, [...new Set(ids)]];
    const locked = await preparedQuery<{ id: string; member_id: string | null }>(tx, LOCK_LECTURERS, values);
    return new Map(locked.map(({ id, member_id }) => [id, member_id]));
  }

  /** Finds other open slots of locked lecturers, by the index of the times that they overlap. Skips `except`. */
  async others(
    tx: EntityManager,
    { site_id }: OfSite,
    times: readonly Times[],
    except: string | null = null,
  ): Promise<ReadonlyMap<number, Pick<Slot, 'id'>>> {
    if (times.every(({ lecturer_id }) => lecturer_id === null)) return new Map();
    const each = (member: keyof Times): unknown[] => times.map((one) => one[member]);
    const values = [site_id, each('lecturer_id'), each('starts_at'), each('ends_at'), except];
    const found = await preparedQuery<{ place: number; id: string }>(tx, OTHERS, values);
    return new Map(found.map(({ place, id }) => [place - 1, { id }]));
  }

  /** Inserts slots with one statement. By their ids, without those whose external id was taken meanwhile. */
  async insert(tx: EntityManager, { site_id }: OfSite, slots: readonly NewSlot[]): Promise<ReadonlyMap<string, Slot>> {
    if (slots.length === 0) return new Map();
    const rows = await preparedQuery<Slot>(tx, INSERT, [site_id, JSON.stringify(slots)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Adds to the booked places of a locked slot. The version stays, because counting is not an edit. */
  async count(tx: EntityManager, { site_id, id }: Pick<Slot, 'site_id' | 'id'>, by: number): Promise<void> {
    await preparedQuery(tx, COUNT, [site_id, id, by]);
  }
}
