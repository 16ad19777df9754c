import type { EventOf } from '@lyceum/messaging';
import { isNewerState } from '@lyceum/contracts';
import type { EntityEvents, StateVersion } from '@lyceum/contracts';

/** A stored state of an aggregate, with members of the data of its events. */
export type Stored<State> = State & StateVersion & { readonly id: string };

type StateEvent<State> = Pick<EventOf<[EntityEvents]>, 'type' | 'aggregate_id' | 'epoch' | 'aggregate_version'> & {
  readonly data: State;
};

export interface StateChange<State, Event> {
  /** Undefined for the first state of a linked member, and for a state that a rebuild has stored. */
  readonly before: State | undefined;
  readonly event: Event;
}

/**
 * Pairs each event with the state before it. Leaves out events that are older than the stored state or repeat an event,
 * and republished ones, which report no change. A rebuild that finds no consumer at rest stores the state of an event
 * before its consumer gets it, and the state before is lost then.
 */
export function stateChanges<State, Event extends StateEvent<State>>(
  stored: readonly Stored<State>[],
  events: readonly Event[],
): StateChange<State, Event>[] {
  const known = new Map<string, StateVersion & { readonly state: State }>();
  for (const one of stored) known.set(one.id, { epoch: one.epoch, version: one.version, state: one });
  const rows = new Set(known.values());
  return events.flatMap((event) => {
    const { type, aggregate_id, epoch, aggregate_version: version, data: state } = event;
    const before = known.get(aggregate_id);
    const place = { epoch, version };
    if (before !== undefined && !isNewerState(place, before)) {
      const isStored = isSame(place, before) && reportsChange({ type }) && rows.delete(before);
      return isStored ? [{ before: undefined, event }] : [];
    }
    known.set(aggregate_id, { ...place, state });
    return reportsChange({ type }) ? [{ before: before?.state, event }] : [];
  });
}

/** False for a republished event: it repairs read models, and its change was reported before. */
export function reportsChange({ type }: { readonly type: string }): boolean {
  return !type.includes('.republished.');
}

/** Text in an event, a date in a row. */
export type Instant = string | Date;

export function isSameInstant(one: Instant, other: Instant): boolean {
  return new Date(one).getTime() === new Date(other).getTime();
}

function isSame(one: StateVersion, other: StateVersion): boolean {
  return one.epoch === other.epoch && one.version === other.version;
}
