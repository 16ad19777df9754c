import type { OfSite, OrderItemType } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { LockedPlaces } from '#src/enrollments/access.service.js';

/** The thing that a line names, by one of its ids. */
export type ItemReference = { readonly id: string } | { readonly external_id: string };

/** Where the items of a type are stored. */
export interface ItemTable {
  readonly table: string;
  /** False when a line can name the item by `id` alone. */
  readonly hasExternalId: boolean;
  /** Column with what the item belongs to, such as the event of a ticket. Null: nothing. */
  readonly parent: string | null;
  /** SQL condition on items that were for sale and are no more. */
  readonly withdrawn: string;
}

/** A paid line of an order. */
export interface Sale {
  /** Place of the line in the order, from 1. */
  readonly position: number;
  readonly order_id: string;
  /** The subscription that the order renews. Null: none. */
  readonly subscription_id: string | null;
  readonly student_id: string;
  readonly item_id: string;
  readonly quantity: number;
  /** When the order was paid. */
  readonly at: Date;
  /** When the order was recorded, if that was before its payment. An item that was withdrawn since is sold to it. */
  readonly ordered_at: Date | undefined;
}

/** An item before its lock. */
export interface LockedItem {
  readonly id: string;
  /** The object to which the item belongs, if it was read. */
  readonly parent_id?: string | null | undefined;
}

/** The grant of a line. */
export interface Sold {
  readonly order_id: string;
  readonly item_id: string;
  readonly granted_id: string;
}

/** A refund of a part of the units of a line. */
export interface SoldUnits {
  readonly refunded: number;
  /** Units that no earlier refund took. */
  readonly of: number;
}

/**
 * Gives and takes back what lines of one type sell. The caller has locked the student and works through the lines in
 * one order, so that orders wait for each other in no circle.
 */
export interface Fulfillment {
  readonly item_type: OrderItemType;
  readonly items: ItemTable;
  /** False when a student needs the item once, so a line has the quantity 1. */
  readonly countable: boolean;
  /**
   * Locks what the items have in common, in an order of its own, before the first line. Returns the ids of the courses
   * to which the items lead. They are locked next, with those of all other lines.
   */
  lock?(site: OfSite, items: readonly LockedItem[], tx: EntityManager): Promise<readonly string[]>;
  /** True when the items are plans of the locked courses, whose terms are read with the locks. */
  readonly isPlan?: boolean;
  /**
   * Sells the lines of the type, in the order of their items. Returns the id of what the student got by each. Errors
   * name their line. Types sell in the order of their names: no line before those of course plans changes a place.
   */
  sell(site: OfSite, sales: readonly Sale[], tx: EntityManager, locked: LockedPlaces): Promise<readonly string[]>;
  /** Ends exactly what the line gave. Repeating it changes nothing. Returns false if it stays, as attendance does. */
  takeBack(site: OfSite, sold: Sold, tx: EntityManager): Promise<boolean>;
  /** Takes some units of a countable item back. */
  takeUnits?(site: OfSite, sold: Sold & SoldUnits, tx: EntityManager): Promise<void>;
}

/** Token of the list of all fulfillments. */
export const FULFILLMENTS = Symbol('lyceum:fulfillments');
