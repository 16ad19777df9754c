import type { EntityEvents } from '@lyceum/contracts';
import type { Outbox, Republication } from '@lyceum/messaging';
import type { RowMapping } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { batchesOf } from './republished-rows.js';
import { eventOf, fieldsOf } from './row-values.js';
import type { SiteRow } from './site-row.js';
import type { Also, EventName, RowChange, StoreDeclaration } from './store-declaration.js';

/** Publishes the events of the rows of a store. */
export class RowEvents<Row extends SiteRow, E extends EntityEvents> {
  constructor(
    private readonly declaration: StoreDeclaration<Row, E>,
    private readonly rows: RowMapping<Row>,
    private readonly outbox: Outbox,
  ) {}

  publish(tx: EntityManager, row: Row, name: EventName<E>, also?: Also<Row, E>, changed: readonly string[] = []) {
    const { publishWith } = this.declaration;
    if (publishWith !== undefined) return publishWith(tx, row, { name, changed });
    const { events, data } = this.#declared;
    const event = eventOf(row, Object.assign({}, data(row, name), also));
    return this.outbox.add(tx, events, name, { ...event, changed });
  }

  async publishAll(tx: EntityManager, rows: readonly Row[], name: EventName<E>, also?: (row: Row) => Also<Row, E>) {
    const { publishAllWith, publishWith } = this.declaration;
    if (publishAllWith !== undefined) return publishAllWith(tx, rows, { name, changed: [] });
    if (publishWith !== undefined) throw new Error(`${this.rows.table} publishes one row at a time`);
    const { events, data } = this.#declared;
    const eventFor = (row: Row) => eventOf(row, Object.assign({}, data(row, name), also?.(row)));
    return this.outbox.addAll(tx, events, name, rows.map(eventFor));
  }

  /** Publishes written rows, each with the fields of its change. */
  publishChanges(tx: EntityManager, written: readonly RowChange<Row>[], name: EventName<E>): Promise<void> {
    const { events, data } = this.#declared;
    const eventFor = ({ row, changes }: RowChange<Row>) => ({
      ...eventOf(row, data(row, name)),
      changed: fieldsOf(changes),
    });
    return this.outbox.addAll(tx, events, name, written.map(eventFor));
  }

  republication(select: string): Republication<E> {
    const { events, data } = this.#declared;
    return { events, batch: batchesOf(this.rows, select, (row) => eventOf(row, data(row, 'republished'))) };
  }

  get #declared() {
    const { events, data } = this.declaration;
    if (events === undefined || data === undefined) throw new Error(`${this.rows.table} has no events`);
    return { events, data };
  }
}
