import type { OfSite, OrderItemType } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccessService } from '#src/enrollments/access.service.js';
import type { LockedPlaces } from '#src/enrollments/access.service.js';
import { FULFILLMENTS } from './fulfillment.js';
import type { Fulfillment, ItemReference, ItemTable, Sale } from './fulfillment.js';
import { refuseWithdrawn, requireNewGrant, requireSellable } from './fulfillment.policy.js';
import type { NamedLine } from './fulfillment.policy.js';
import type { Order, OrderLine } from './order.entity.js';
import { OrderRepository } from './order.repository.js';
import type { RefundedLine } from './order.policy.js';
import type { FoundItem } from './order.repository.js';

interface Buyer {
  readonly order_id: string;
  readonly student_id: string;
}

/** Finds the items of orders, gives what paid lines sell, and takes it back. */
@Injectable()
export class FulfillmentService {
  readonly #by: ReadonlyMap<OrderItemType, Fulfillment>;

  constructor(
    @Inject(FULFILLMENTS) all: readonly Fulfillment[],
    private readonly repository: OrderRepository,
    private readonly access: AccessService,
  ) {
    this.#by = new Map(all.map((one) => [one.item_type, one]));
  }

  /**
   * Returns the item of each line, and whether the site has an order of the number.
   *
   * @throws `validation_failed`, `not_found`
   */
  async itemsOf(
    site: OfSite,
    { number, line_items: lines }: { readonly number: string; readonly line_items: readonly NamedLine[] },
    tx: EntityManager,
  ): Promise<{ readonly items: readonly FoundItem[]; readonly isKnown: boolean }> {
    requireSellable(lines, this.#by);
    const named = new Map<OrderItemType, ItemTable & { references: ItemReference[] }>();
    for (const { item_type, item } of lines) {
      const known = named.get(item_type) ?? { ...this.#of(item_type).items, references: [] };
      named.set(item_type, { ...known, references: [...known.references, item] });
    }
    const found = await this.repository.items(tx, site, number, named);
    const items = lines.map(({ item_type, item }, index) => {
      const one = found.find((it) => it.item_type === item_type && isNamed(it, item));
      return one ?? refuseItem(item_type, index);
    });
    return { items, isKnown: found.some(({ is_known }) => is_known) };
  }

  /**
   * Keeps the items of a pending order from deletion until its lines are stored.
   *
   * @throws `not_found`; `invalid_state` for an item that was withdrawn before. A renewal also buys such a plan.
   */
  async keep(
    site: OfSite,
    { line_items: lines, subscription_id }: Pick<Order, 'line_items' | 'subscription_id'>,
    tx: EntityManager,
  ): Promise<void> {
    for (const [item_type, { items }] of this.#by) {
      const ids = lines.filter((line) => line.item_type === item_type).map(({ item_id }) => item_id);
      if (ids.length === 0) continue;
      const kept = await this.repository.keepItems(tx, site, items, ids);
      const isRenewed = item_type === 'membership_plan' && subscription_id !== null;
      for (const [index, line] of lines.entries()) {
        if (line.item_type !== item_type) continue;
        const isWithdrawn = kept.get(line.item_id) ?? refuseItem(item_type, index);
        if (isWithdrawn && !isRenewed) refuseWithdrawn(index);
      }
    }
  }

  /** Gives what the lines of a paid order sell. The student is locked. Returns the lines with the ids of it. */
  async give(
    site: OfSite,
    { at, subscription_id, ordered_at, ...buyer }: Buyer & Pick<Sale, 'at' | 'subscription_id' | 'ordered_at'>,
    lines: readonly OrderLine[],
    items: readonly FoundItem[],
    tx: EntityManager,
  ): Promise<readonly OrderLine[]> {
    const parents = new Map(items.map(({ id, parent_id }) => [id, parent_id]));
    const locked = await this.#lock(site, buyer, lines, tx, parents);
    const given = new Map<number, string>();
    const ordered = inOrder(lines);
    const sale = { ...buyer, subscription_id, at, ordered_at };
    for (const type of new Set(ordered.map(({ item_type }) => item_type))) {
      const sales = ordered
        .filter(({ item_type }) => item_type === type)
        .map(({ position, item_id, quantity }) => ({ ...sale, position, item_id, quantity }));
      const ids = await this.#of(type).sell(site, sales, tx, locked);
      for (const [index, { position }] of sales.entries()) {
        const id = ids[index] ?? '';
        requireNewGrant(position, id, given);
        given.set(position, id);
      }
    }
    return lines.map((line) => ({ ...line, granted_id: given.get(line.position) ?? null }));
  }

  /** Takes back what lines gave. The student and the order are locked. Returns the positions of lines that lost it. */
  async takeBack(
    site: OfSite,
    buyer: Buyer,
    lines: readonly OrderLine[],
    tx: EntityManager,
  ): Promise<readonly number[]> {
    await this.#lock(site, buyer, lines, tx);
    const taken: number[] = [];
    for (const { position, item_type, item_id, granted_id } of inOrder(lines)) {
      if (granted_id === null) continue;
      const sold = { order_id: buyer.order_id, item_id, granted_id };
      if (await this.#of(item_type).takeBack(site, sold, tx)) taken.push(position);
    }
    return taken.toSorted((a, b) => a - b);
  }

  /** Takes units of lines back that keep others. The student and the order are locked. */
  async takeUnits(
    site: OfSite,
    { order_id }: Pick<Buyer, 'order_id'>,
    lines: readonly OrderLine[],
    parts: readonly Pick<RefundedLine, 'position' | 'quantity'>[],
    tx: EntityManager,
  ): Promise<void> {
    for (const { position, item_type, item_id, granted_id, taken_back, ...line } of inOrder(lines)) {
      const refunded = parts.find((part) => part.position === position)?.quantity ?? 0;
      const of = line.quantity - line.refunded_quantity;
      if (granted_id === null || taken_back || refunded === 0 || refunded === of) continue;
      await this.#of(item_type).takeUnits?.(site, { order_id, item_id, granted_id, refunded, of }, tx);
    }
  }

  /** @param parents of the items that were read */
  async #lock(
    site: OfSite,
    { student_id }: Buyer,
    lines: readonly OrderLine[],
    tx: EntityManager,
    parents: ReadonlyMap<string, string | null> = new Map(),
  ): Promise<LockedPlaces> {
    const courses = new Set<string>();
    const plans: string[] = [];
    for (const [item_type, fulfillment] of this.#by) {
      const items = lines
        .filter((line) => line.item_type === item_type)
        .map(({ item_id: id }) => ({ id, parent_id: parents.get(id) }));
      if (items.length === 0) continue;
      if (fulfillment.isPlan === true) plans.push(...items.map(({ id }) => id));
      for (const course_id of (await fulfillment.lock?.(site, items, tx)) ?? []) courses.add(course_id);
    }
    const pairs = [...courses].map((course_id) => ({ student_id, course_id }));
    return this.access.lockWith(site, pairs, plans, tx);
  }

  #of(item_type: OrderItemType): Fulfillment {
    const one = this.#by.get(item_type);
    if (one === undefined) throw new Error(`Nothing fulfills ${item_type}`);
    return one;
  }
}

function refuseItem(item_type: OrderItemType, index: number): never {
  throw new ApiError('not_found', `This site has no such ${item_type.replaceAll('_', ' ')}`, {
    errors: [{ pointer: `/line_items/${index}/item`, code: 'not_found', detail: 'An item of this site' }],
  });
}

/** The order in which all orders lock items. */
function inOrder(lines: readonly OrderLine[]): readonly OrderLine[] {
  const key = ({ item_type, item_id }: OrderLine): string => `${item_type} ${item_id}`;
  return lines.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function isNamed(found: { readonly id: string; readonly external_id: string | null }, item: ItemReference): boolean {
  return 'id' in item ? found.id === item.id : found.external_id === item.external_id;
}
