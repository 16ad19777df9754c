import type { DomainEvent } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';

interface OfMember {
  readonly site_id: string;
  readonly person_id: string | null;
}

const ERASURES = {
  name: 'member_erasures',
  text: `select site_id, person_id, erased_at from member_erasures
    where (site_id, person_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
};

interface Erasure {
  readonly site_id: string;
  readonly person_id: string;
  readonly erased_at: Date;
}

interface Since {
  readonly site_id: string;
  readonly person_id: string;
  /** When the member returned; null for one who has not. */
  readonly since: Date | null;
}

const keyOf = ({ site_id, person_id }: OfMember): string => `${site_id} ${String(person_id)}`;

/**
 * Leaves out events from before the erasure of their member: late ones, those that failed and are tried again, and
 * those that a rebuild reads. A member who returns is the same person, and has none of it (ADR 74).
 */
export async function withoutErased<Event extends Pick<DomainEvent<OfMember>, 'data' | 'occurred_at'>>(
  events: readonly Event[],
  tx: EntityManager,
): Promise<Event[]> {
  const members = new Map(
    events.flatMap(({ data }) => (data.person_id === null ? [] : [[keyOf(data), data] as const])),
  );
  if (members.size === 0) return [...events];
  const named = [...members.values()];
  const found = await preparedQuery<Erasure>(tx, ERASURES, [
    named.map(({ site_id }) => site_id),
    named.map(({ person_id }) => person_id),
  ]);
  if (found.length === 0) return [...events];
  const erased = new Map(found.map((one) => [keyOf(one), one.erased_at.getTime()]));
  return events.filter(({ data, occurred_at }) => Date.parse(occurred_at) > (erased.get(keyOf(data)) ?? -Infinity));
}

/**
 * Leaves out events about members who left, and those from before the return of a member. No event of the school ends
 * the rows of progress that it recorded before it applied the erasure.
 */
export async function sinceReturn<Event extends Pick<DomainEvent<OfMember>, 'data' | 'occurred_at'>>(
  events: readonly Event[],
  tx: EntityManager,
): Promise<Event[]> {
  const members = events.map(({ data }) => data).filter(({ person_id }) => person_id !== null);
  if (members.length === 0) return [...events];
  const found = await tx.query<Since[]>(
    `select e.site_id, e.person_id, m.joined_at as since
     from member_erasures e
     left join memberships m on m.site_id = e.site_id and m.person_id = e.person_id and m.joined_at > e.erased_at
     where (e.site_id, e.person_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    keysOf(members),
  );
  const since = new Map(found.map((one) => [keyOf(one), one.since?.getTime() ?? Infinity]));
  return events.filter(({ data, occurred_at }) => Date.parse(occurred_at) >= (since.get(keyOf(data)) ?? -Infinity));
}

/**
 * Locks memberships until the transaction ends, in the order of their erasure, which waits. Statements that start after
 * this one see an erasure that was first.
 */
export async function lockMemberships(members: readonly OfMember[], tx: EntityManager): Promise<void> {
  await tx.query(
    `select from memberships where (site_id, person_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     order by person_id, site_id for key share`,
    keysOf(members),
  );
}

const keysOf = (members: readonly OfMember[]) => [
  members.map(({ site_id }) => site_id),
  members.map(({ person_id }) => person_id),
];
