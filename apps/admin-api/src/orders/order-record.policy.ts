import type { ORDER_STATES, OrderItemType, RECORDED_ORDER_STATES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ApiErrorCode, FieldError } from '@lyceum/errors';
import { currency as currencySchema } from '@lyceum/rest';
import { requireOccurred } from '#src/occurrences/occurrence.policy.js';
import { requireTotals } from './order.policy.js';
import type { LineMoney, Totals } from './order.policy.js';

export type OrderState = (typeof ORDER_STATES)[number];
export type RecordedOrderState = (typeof RECORDED_ORDER_STATES)[number];

/** States that another record can move an order to. */
type Move = Exclude<RecordedOrderState, 'pending'>;
const MOVES: Readonly<Record<OrderState, readonly Move[]>> = {
  pending: ['paid', 'failed', 'expired'],
  paid: [],
  partially_refunded: [],
  refunded: [],
  failed: [],
  expired: [],
};

/** The recorded state from which an order in the state came. A repeated record of it changes nothing. */
const RECORDED: Readonly<Record<OrderState, RecordedOrderState>> = {
  pending: 'pending',
  paid: 'paid',
  partially_refunded: 'paid',
  refunded: 'paid',
  failed: 'failed',
  expired: 'expired',
};

interface Recorded extends Totals {
  readonly state: RecordedOrderState;
  readonly currency: string;
  readonly tax_included: boolean;
  readonly paid_at: string | null;
  readonly line_items: readonly LineMoney[];
}

/** @throws `validation_failed` for a currency, instant or total that does not fit */
export function requireRecord(order: Recorded, now: Date): void {
  const { state, currency, paid_at } = order;
  if (!currencySchema.safeParse(currency).success)
    refuse({ pointer: '/currency', code: 'invalid_value', detail: 'A currency of ISO 4217, such as TWD' });
  if (state === 'paid' && paid_at === null)
    refuse({ pointer: '/paid_at', code: 'required', detail: 'A paid order has the instant of its payment' });
  if (state !== 'paid' && paid_at !== null)
    refuse({ pointer: '/paid_at', code: 'invalid_value', detail: `An order that is ${state} has none` });
  if (paid_at !== null) requireOccurred(new Date(paid_at), now, '/paid_at');
  requireTotals(order);
}

/**
 * Returns the state that a record moves an order to. Undefined: the record repeats an earlier one.
 *
 * @throws `invalid_state` for a move that does not exist
 */
export function moveOf(state: OrderState, to: RecordedOrderState): Move | undefined {
  if (RECORDED[state] === to) return undefined;
  const move = MOVES[state].find((one) => one === to);
  if (move !== undefined) return move;
  throw new ApiError('invalid_state', `The order is ${state} and cannot be ${to}`);
}

const REFUSALS: readonly ApiErrorCode[] = ['invalid_state', 'not_found', 'validation_failed'];

/** True when operators must know that a record was refused: the buyer may have paid, and gets nothing. */
export function refusesPayment(state: RecordedOrderState, { code }: Pick<ApiError, 'code'>): boolean {
  return state === 'paid' && REFUSALS.includes(code);
}

/** Facts of an order that no later record changes. */
export interface OrderFacts extends Totals {
  readonly student_id: string;
  readonly currency: string;
  readonly tax_included: boolean;
  readonly coupon_code: string | null;
  readonly subscription_id: string | null;
  readonly line_items: readonly (LineMoney & { readonly item_type: OrderItemType; readonly item_id: string })[];
}

const FACTS = [
  'student_id',
  'currency',
  'tax_included',
  'coupon_code',
  'subscription_id',
  'subtotal_minor',
  'discount_minor',
  'tax_minor',
  'total_minor',
] as const satisfies readonly (keyof OrderFacts)[];
const OF_LINES = ['item_type', 'item_id', 'quantity', 'unit_amount_minor', 'discount_minor', 'tax_minor'] as const;

/** @throws `already_exists` with each member in which the record differs from the order of its number */
export function requireSameOrder(known: OrderFacts & { readonly id: string }, given: OrderFacts): void {
  const facts = FACTS.filter((member) => known[member] !== given[member]);
  const isSameLine = (line: OrderFacts['line_items'][number], index: number): boolean =>
    OF_LINES.every((member) => line[member] === known.line_items[index]?.[member]);
  const lines = known.line_items.length === given.line_items.length && given.line_items.every(isSameLine);
  const members = facts.map((member) => (member === 'student_id' ? 'student' : member));
  requireEqual(known, [...members, ...(lines ? [] : ['line_items'])]);
}

interface Payment {
  readonly id: string;
  readonly paid_at: Date | null;
  readonly payment_method: string | null;
}

/** Compares what a repeated record says about the payment. @throws `already_exists` */
export function requireSamePayment(known: Payment, given: Omit<Payment, 'id'>): void {
  const isSameTime = known.paid_at?.getTime() === given.paid_at?.getTime();
  const isSameMethod = given.payment_method === null || known.payment_method === given.payment_method;
  requireEqual(known, [...(isSameTime ? [] : ['paid_at']), ...(isSameMethod ? [] : ['payment_method'])]);
}

function requireEqual({ id }: { readonly id: string }, different: readonly string[]): void {
  if (different.length === 0) return;
  throw new ApiError('already_exists', 'Another order of this site has this number', {
    errors: different.map((member) => ({
      pointer: `/${member}`,
      code: 'already_exists',
      detail: 'The recorded order has another value',
      id,
    })),
    hint: 'Repeat the record as it was, or use another number',
  });
}

function refuse(error: FieldError): never {
  throw new ApiError('validation_failed', 'The order does not fit', { errors: [error] });
}
