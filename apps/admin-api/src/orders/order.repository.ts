import { ORDER_ITEM_TYPES } from '@lyceum/contracts';
import type { OfSite, OrderItemType } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { preparedQuery, uuidv7 } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ItemReference, ItemTable } from './fulfillment.js';
import type { Order, OrderLine, OrderRefund } from './order.entity.js';

type OrderKey = Pick<Order, 'site_id' | 'id'>;

export interface FoundItem {
  readonly item_type: OrderItemType;
  readonly id: string;
  readonly external_id: string | null;
  /** The object to which the item belongs. Null: none. */
  readonly parent_id: string | null;
}

/** An item, with whether the site has the order of a number. */
type ReadItem = FoundItem & { readonly is_known: boolean };

/** SQL of what is read with each order, by property. PostgreSQL writes instants of JSON with its own precision. */
export const ORDER_PARTS = {
  buyer_name: '(select s.name from students s where s.site_id = orders.site_id and s.id = orders.student_id)',
  buyer_email: '(select s.email from students s where s.site_id = orders.site_id and s.id = orders.student_id)',
  line_items: `(select coalesce(json_agg(json_build_object('position', l.position, 'item_type', l.item_type,
      'item_id', l.item_id, 'name', l.name, 'quantity', l.quantity, 'unit_amount_minor', l.unit_amount_minor,
      'amount_minor', l.amount_minor, 'discount_minor', l.discount_minor, 'tax_minor', l.tax_minor,
      'total_minor', l.total_minor, 'refunded_quantity', l.refunded_quantity, 'granted_id', l.granted_id,
      'taken_back', l.taken_back) order by l.position), '[]')
    from order_lines l where l.site_id = orders.site_id and l.order_id = orders.id)`,
  refunds: `(select coalesce(json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor,
      'line_items', r.line_items, 'reason', r.reason,
      'refunded_at', to_char(r.refunded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.id), '[]')
    from order_refunds r where r.site_id = orders.site_id and r.order_id = orders.id)`,
};

/** SQL of filters that are not columns. */
export const ORDER_CONDITIONS = {
  // Each type has its partial index.
  item_type: Object.fromEntries(ORDER_ITEM_TYPES.map((type) => [type, `item_types @> '{${type}}'`])),
  member_id: 'student_id = any(array(select s.id from students s where s.site_id = $1 and s.member_id = ?))',
};

/** The name is short, because it is a part of that of the last statement of a transaction. */
const INSERT_LINES = {
  name: 'lines',
  text: `insert into order_lines (site_id, order_id, position, item_type, item_id, name, quantity, unit_amount_minor,
      amount_minor, discount_minor, tax_minor, total_minor, granted_id)
    select $1, $2, position, item_type, item_id, name, quantity, unit_amount_minor, amount_minor, discount_minor,
      tax_minor, total_minor, granted_id
    from jsonb_to_recordset($3::jsonb) as l (position int, item_type text, item_id uuid, name text, quantity int,
      unit_amount_minor bigint, amount_minor bigint, discount_minor bigint, tax_minor bigint, total_minor bigint,
      granted_id uuid)
    returning 1`,
};

@Injectable()
export class OrderRepository {
  constructor(private readonly outbox: Outbox) {}

  /** Finds items of the site and the order of the number with one statement. Each type of items has its table. */
  items(
    tx: EntityManager,
    { site_id }: OfSite,
    number: string,
    named: ReadonlyMap<OrderItemType, ItemTable & { readonly references: readonly ItemReference[] }>,
  ): Promise<ReadItem[]> {
    const values: unknown[] = [site_id, number];
    const place = (value: unknown): string => `$${values.push(value)}`;
    const parts = [...named].map(([item_type, { table, hasExternalId, parent, references }]) => {
      const ids = references.flatMap((one) => ('id' in one ? [one.id] : []));
      const keys = references.flatMap((one) => ('external_id' in one ? [one.external_id] : []));
      const isNamed = `id = any(${place(ids)}::uuid[])`;
      const isKeyed = hasExternalId ? ` or external_id = any(${place(keys)}::text[])` : '';
      return `select ${place(item_type)}::text as item_type, id, ${hasExternalId ? 'external_id' : 'null::text as external_id'},
          ${parent ?? 'null::uuid'} as parent_id,
          exists (select 1 from orders where site_id = $1 and number = $2) as is_known
        from ${table} where site_id = $1 and (${isNamed}${isKeyed})`;
    });
    const statement = { name: `order_items_${[...named.keys()].join('_')}`, text: parts.join(' union all ') };
    // Most orders have items of one type. PostgreSQL limits the length of a name.
    return named.size === 1 ? preparedQuery(tx, statement, values) : tx.query(statement.text, values);
  }

  /** Locks items of one table against deletion. Returns whether each that still exists was withdrawn, by its id. */
  async keepItems(
    tx: EntityManager,
    { site_id }: OfSite,
    { table, withdrawn }: Pick<ItemTable, 'table' | 'withdrawn'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const rows = await tx.query<{ id: string; is_withdrawn: boolean }[]>(
      `select id, ${withdrawn} as is_withdrawn from ${table}
       where site_id = $1 and id = any($2::uuid[]) order by id for key share`,
      [site_id, ids],
    );
    return new Map(rows.map(({ id, is_withdrawn }) => [id, is_withdrawn]));
  }

  /** Writes the lines with the last statement of the transaction, which does not read them. */
  async insertLines(tx: EntityManager, { site_id, id }: OrderKey, lines: readonly OrderLine[]): Promise<void> {
    await this.outbox.addRows(tx, { ...INSERT_LINES, values: [site_id, id, JSON.stringify(lines)] });
  }

  /** Notes what the lines of a locked order gave and lost. */
  async updateLines(tx: EntityManager, { site_id, id }: OrderKey, lines: readonly OrderLine[]): Promise<void> {
    await tx.query(
      `update order_lines l set granted_id = g.granted_id, refunded_quantity = g.refunded_quantity,
         taken_back = g.taken_back
       from jsonb_to_recordset($3::jsonb) as g (position int, granted_id uuid, refunded_quantity int, taken_back boolean)
       where l.site_id = $1 and l.order_id = $2 and l.position = g.position`,
      [site_id, id, JSON.stringify(lines)],
    );
  }

  /** Notes in a transaction of its own why a payment of a pending order was refused. Repeating it changes nothing. */
  async refusePayment({ site_id }: OfSite, number: string, refusal: string): Promise<void> {
    await this.outbox.transaction((tx) =>
      tx.query(
        `update orders set payment_refusal = $3, version = version + 1, updated_at = now()
         where site_id = $1 and number = $2 and state = 'pending' and payment_refusal is distinct from $3`,
        [site_id, number, refusal],
      ),
    );
  }

  async insertRefund(
    tx: EntityManager,
    { site_id, id }: OrderKey,
    { amount_minor, line_items, reason, refunded_at }: Omit<OrderRefund, 'id'>,
  ): Promise<string> {
    const refund_id = uuidv7();
    await tx.query(
      `insert into order_refunds (site_id, id, order_id, amount_minor, line_items, reason, refunded_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [site_id, refund_id, id, amount_minor, JSON.stringify(line_items), reason, refunded_at],
    );
    return refund_id;
  }

  /** Erases the reasons of the refunds of a locked student, which programs write. Events do not contain them. */
  async eraseReasons(
    tx: EntityManager,
    { site_id, id }: { readonly site_id: string; readonly id: string },
  ): Promise<void> {
    await tx.query(
      `with refund as (
         update order_refunds r set reason = null from orders o
         where o.site_id = $1 and o.student_id = $2 and r.site_id = $1 and r.order_id = o.id and r.reason is not null
         returning r.order_id
       )
       update orders o set version = o.version + 1, updated_at = now()
       where o.site_id = $1 and o.id in (select order_id from refund)`,
      [site_id, id],
    );
  }
}
