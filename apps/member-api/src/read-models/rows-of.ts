import type { DomainEvent } from '@lyceum/contracts';

type StateEvent = Pick<DomainEvent<object>, 'data' | 'epoch' | 'aggregate_version'>;

/**
 * Converts events to rows for `writeNewest`. `columns` are members of the data whose columns have the same names; a
 * missing member becomes null. `others` computes the other columns.
 */
export function rowsOf<Event extends StateEvent>(
  events: readonly Event[],
  columns: readonly (keyof Event['data'] & string)[],
  others: (data: Event['data']) => object = () => ({}),
): Readonly<Record<string, unknown>>[] {
  return events.map((event) => {
    const data: Event['data'] = event.data;
    const copied = Object.fromEntries(columns.map((column) => [column, data[column] ?? null]));
    return { ...copied, epoch: event.epoch, version: event.aggregate_version, ...others(data) };
  });
}
