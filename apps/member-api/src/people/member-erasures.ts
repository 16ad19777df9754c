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
