import { SiteStores } from '@lyceum/collections';
import type { Caller, SiteStore } from '@lyceum/collections';
import { orderEvents } from '@lyceum/contracts';
import type { OfSite, recordOrder, refundOrder } from '@lyceum/contracts';
import type { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { together } from '@lyceum/platform';
import { LINE, copyOf, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { requireOccurred } from '#src/occurrences/occurrence.policy.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { requireDifferentItems } from './fulfillment.policy.js';
import { FulfillmentService } from './fulfillment.service.js';
import { Order } from './order.entity.js';
import type { OrderLine } from './order.entity.js';
import { amountOf, lineTotal, refundOf, requireAfterPayment } from './order.policy.js';
import type { RefundDecision } from './order.policy.js';
import { moveOf, refusesPayment, requireRecord, requireSameOrder, requireSamePayment } from './order-record.policy.js';
import { OrderTermsService } from './order-terms.service.js';
import { ORDER_CONDITIONS, ORDER_PARTS, OrderRepository } from './order.repository.js';
import type { FoundItem } from './order.repository.js';
import { order as resource } from './order.schema.js';
import type { OrderListQuery } from './order.schema.js';

type Content<D extends { readonly input: z.ZodType }> = Omit<z.output<D['input']>, 'site' | 'idempotency_key'>;

interface Refunded {
  readonly row: Order;
  readonly refund_id: string;
  readonly amount_minor: number;
  readonly taken_back: readonly number[];
}

/** A comparison leaves out orders without payment, which have no place in the order of payments. */
const EVER = { 'paid_at[gte]': '0001-01-01T00:00:00.000Z' };

/** Orders of a site, which its programs record. Owners and admins read them. */
@Injectable()
export class OrderService {
  readonly #orders: SiteStore<Order, typeof orderEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: OrderRepository,
    private readonly fulfillments: FulfillmentService,
    private readonly students: StudentService,
    private readonly terms: OrderTermsService,
  ) {
    this.#orders = stores.of({
      entity: Order,
      // The list below a member filters by it.
      resource: copyOf(resource, { filters: [...resource.filters, 'member_id'], conditions: ORDER_CONDITIONS }),
      computed: ORDER_PARTS,
      unique: { orders_number: 'number' },
      events: orderEvents,
      data: (row) => ({
        order_id: row.id,
        site_id: row.site_id,
        student_id: row.student_id,
        number: row.number,
        state: row.state,
        currency: row.currency,
        total_minor: row.total_minor,
        refunded_minor: row.refunded_minor,
        paid_at: iso(row.paid_at),
      }),
    });
    students.erased.add((tx, student) => this.repository.eraseReasons(tx, student));
  }

  async list(caller: Caller, query: OrderListQuery, of: { readonly member_id?: string } = {}): Promise<Page<Order>> {
    requireAdministrator(caller, 'see its orders');
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    const paid = query.sort.endsWith('paid_at') ? EVER : {};
    return this.#orders.list(caller, { ...paid, ...given, ...of, [LINE]: query[LINE] } as OrderListQuery);
  }

  async get(caller: Caller, id: string): Promise<Order> {
    requireAdministrator(caller, 'see its orders');
    return this.#orders.get(caller, id);
  }

  /**
   * Records an order, or moves the order of the number. A paid order gives the student what it sold. A repetition
   * changes nothing.
   */
  async record(site: OfSite, input: Content<typeof recordOrder>, tx: EntityManager): Promise<Order> {
    requireRecord(input, new Date());
    const [student, { items, isKnown }] = await together([
      this.students.lock(site, input.student, tx),
      // Runs after the lock, so it sees an order of this student that a transaction before recorded.
      this.fulfillments.itemsOf(site, input, tx),
    ]);
    const { values, lines } = rowsOf(input, student.id, items);
    requireDifferentItems(lines);
    await this.terms.requireRenewal(site, values, items, tx);
    const known = isKnown ? await this.#orders.findLocked(tx, site, { number: input.number }) : undefined;
    if (known === undefined) {
      await this.terms.requireInterval(site, values, items, tx);
      if (input.state === 'paid') requireActiveStudent(student.state);
      const event = input.state === 'pending' ? 'recorded' : input.state;
      const parts = { buyer_name: student.name, buyer_email: student.email, line_items: lines, refunds: [] };
      const { row } = await this.#orders.insert(tx, site, { ...values, ...parts, state: input.state }, event);
      if (input.state === 'failed') await this.terms.fail(site, row, tx);
      if (input.state === 'pending') {
        await this.terms.keep(site, row, tx);
        await this.fulfillments.keep(site, row, tx);
      }
      const given = input.state === 'paid' ? await this.#give(tx, row, lines, items) : lines;
      await this.repository.insertLines(tx, row, given);
      return Object.assign(row, { line_items: given });
    }
    requireSameOrder(known, { ...values, line_items: lines });
    return this.#move(tx, known, input, { student, items });
  }

  /** Shows operators that the payment of a pending order was refused. Its transaction is rolled back. */
  async refused(site: OfSite, { number, state }: Content<typeof recordOrder>, refusal: ApiError): Promise<void> {
    if (refusesPayment(state, refusal)) await this.repository.refusePayment(site, number, refusal.message);
  }

  /** Records a refund, and takes back what the refunded lines gave. */
  async refund(
    site: OfSite,
    { order: key, refunded_at, reason, ...request }: Content<typeof refundOrder>,
    tx: EntityManager,
  ): Promise<Refunded> {
    requireOccurred(new Date(refunded_at), new Date(), '/refunded_at');
    const { id, student_id } = (await this.#orders.find(site, key, tx)) ?? this.#orders.missing();
    await this.students.lock(site, student_id, tx);
    const order = await this.#orders.lock(tx, site, id);
    const decision = refundOf(order, request);
    requireAfterPayment(order, new Date(refunded_at));
    const taken = order.line_items.filter(
      (line) => decision.taken_back.includes(line.position) && line.granted_id !== null && !line.taken_back,
    );
    if (decision.state === 'refunded') await this.terms.restore(site, order, tx);
    const positions = await this.fulfillments.takeBack(site, { order_id: id, student_id }, taken, tx);
    const { amount_minor, line_items, state, refunded_minor } = decision;
    const kept = order.line_items.filter((one) => !taken.includes(one));
    await this.fulfillments.takeUnits(site, { order_id: id }, kept, line_items, tx);
    const line = { amount_minor, line_items, reason, refunded_at };
    const refund_id = await this.repository.insertRefund(tx, order, line);
    await this.repository.updateLines(tx, order, after(order.line_items, decision, positions));
    const last = new Date(Math.max(Date.parse(refunded_at), order.refunded_at?.getTime() ?? -Infinity));
    const changes = { state, refunded_minor, refunded_at: last };
    const { row } = await this.#orders.change(tx, site, order, () => ({ event: 'refunded', changes }));
    return { row, refund_id, amount_minor, taken_back: positions };
  }

  republication(): Republication<typeof orderEvents> {
    return this.#orders.republication();
  }

  /** Moves a locked order of a locked student. */
  async #move(
    tx: EntityManager,
    known: Order,
    { state, payment_method, ...input }: Content<typeof recordOrder>,
    { student, items }: { readonly student: Student; readonly items: readonly FoundItem[] },
  ): Promise<Order> {
    const paid_at = instantOf(input.paid_at);
    const { site_id } = known;
    const to = moveOf(known.state, state);
    if (to === undefined) {
      requireSamePayment(known, { paid_at, payment_method });
      return known;
    }
    const changes = {
      state: to,
      paid_at,
      payment_method: payment_method ?? known.payment_method,
      payment_refusal: null,
    };
    if (to === 'failed') await this.terms.fail(known, known, tx);
    const write = async () => (await this.#orders.change(tx, { site_id }, known, () => ({ event: to, changes }))).row;
    if (to !== 'paid') return write();
    requireActiveStudent(student.state);
    await this.terms.requireInterval(known, known, items, tx);
    const paid = Object.assign({}, known, { paid_at });
    const given = await this.#give(tx, paid, known.line_items, items, known.created_at);
    await this.repository.updateLines(tx, known, given);
    return write();
  }

  /**
   * Redeems the coupon of a paid order, then gives what its lines sell.
   *
   * @param ordered_at when the order was recorded, if that was before its payment
   */
  async #give(
    tx: EntityManager,
    order: Order,
    lines: readonly OrderLine[],
    items: readonly FoundItem[],
    ordered_at?: Date,
  ): Promise<readonly OrderLine[]> {
    const { site_id, id: order_id, student_id, subscription_id, paid_at } = order;
    const at = paid_at ?? new Date();
    await this.terms.redeem(Object.assign({}, order, { line_items: lines, at, ordered_at }), items, tx);
    const buyer = { order_id, student_id, subscription_id, at, ordered_at };
    return this.fulfillments.give({ site_id }, buyer, lines, items, tx);
  }
}

/** The rows of a recorded order. The items are in the order of the lines. */
function rowsOf(input: Content<typeof recordOrder>, student_id: string, items: readonly FoundItem[]) {
  const { student: _student, line_items, state: _state, paid_at, ...money } = input;
  const lines = line_items.map(({ item: _item, ...line }, index): OrderLine => ({
    ...line,
    position: index + 1,
    item_id: items[index]?.id ?? '',
    amount_minor: amountOf(line),
    total_minor: lineTotal(line, input.tax_included),
    refunded_quantity: 0,
    granted_id: null,
    taken_back: false,
  }));
  const item_types = [...new Set(lines.map(({ item_type }) => item_type))].toSorted();
  return { values: { ...money, student_id, item_types, paid_at: instantOf(paid_at) }, lines };
}

function after(lines: readonly OrderLine[], { line_items }: RefundDecision, taken: readonly number[]): OrderLine[] {
  return lines.map((line) => ({
    ...line,
    refunded_quantity:
      line.refunded_quantity + (line_items.find(({ position }) => position === line.position)?.quantity ?? 0),
    taken_back: line.taken_back || taken.includes(line.position),
  }));
}

function instantOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
