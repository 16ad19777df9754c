import type { EntityEvents } from '@lyceum/contracts';
import type { Outbox, Republication } from '@lyceum/messaging';
import type { RowMapping } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { eventOf } from './row-values.js';
import type { SiteRow } from './site-row.js';
import type { Also, EventName, StoreDeclaration } from './store-declaration.js';

/** A written row, the fields that its change set, and members of its event that the row does not have. */
interface Publication<Row, E extends EntityEvents> {
  readonly row: Row;
  readonly changed?: readonly string[];
  readonly also?: Also<Row, E> | undefined;
}

/** Publishes the events of the rows of a store. */
export class RowEvents<Row extends SiteRow, E extends EntityEvents> {
  constructor(
    private readonly declaration: StoreDeclaration<Row, E>,
    private readonly rows: RowMapping<Row>,
    private readonly outbox: Outbox,
  ) {}

  publish(tx: EntityManager, name: EventName<E>, list: readonly Publication<Row, E>[]): Promise<void> {
    const { publishWith } = this.declaration;
    if (publishWith !== undefined) {
      const changed = [...new Set(list.flatMap((one) => one.changed ?? []))];
      const rows = list.map(({ row }) => row);
      return publishWith(tx, rows, { name, changed });
    }
    const { events, data } = this.#declared;
    const eventFor = ({ row, also, changed = [] }: Publication<Row, E>) => ({
      ...eventOf(row, Object.assign({}, data(row, name), also)),
      changed,
    });
    return this.outbox.addAll(tx, events, name, list.map(eventFor));
  }

  /** Reads the rows of the table for a republication. */
  republication(select: string): Republication<E> {
    const { rows } = this;
    const { events, data } = this.#declared;
    const batch: Republication<E>['batch'] = async (tx, [site_id, id], limit) => {
      const range = `from ${rows.table} where (site_id, id) > ($1, $2) order by site_id, id limit $3`;
      // A statement computes values with the state from before it waits for a lock: they would be older than the row.
      await tx.query(`select 1 ${range} for share`, [site_id, id, limit]);
      const found = await tx.query<Row[]>(`select ${select} ${range}`, [site_id, id, limit]);
      return found.map((raw) => {
        const row = rows.hydrate(raw);
        return { key: [row.site_id, row.id], event: eventOf(row, data(row, 'republished')) };
      });
    };
    return { events, batch };
  }

  get #declared() {
    const { events, data } = this.declaration;
    if (events === undefined || data === undefined) throw new Error(`${this.rows.table} has no events`);
    return { events, data };
  }
}
