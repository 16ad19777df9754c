import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';

/** The money of a line, in minor units. Discount and tax are those of the whole line. */
export interface LineMoney {
  readonly quantity: number;
  readonly unit_amount_minor: number;
  readonly discount_minor: number;
  readonly tax_minor: number;
}

export interface Totals {
  readonly subtotal_minor: number;
  readonly discount_minor: number;
  readonly tax_minor: number;
  readonly total_minor: number;
}

interface Priced {
  readonly line_items: readonly LineMoney[];
  /** True when the amounts of the lines include the tax. */
  readonly tax_included: boolean;
}

const TOTALS = ['subtotal_minor', 'discount_minor', 'tax_minor', 'total_minor'] as const;

/** The amount of a line before its discount. Above 2^53 - 1 the result is inexact: see `requireTotals`. */
export function amountOf({ unit_amount_minor, quantity }: LineMoney): number {
  return unit_amount_minor * quantity;
}

/** The price of a line, with its discount and tax. */
export function lineTotal(line: LineMoney, tax_included: boolean): number {
  return amountOf(line) - line.discount_minor + (tax_included ? 0 : line.tax_minor);
}

export function totalsOf({ line_items, tax_included }: Priced): Totals {
  const sum = (valueOf: (line: LineMoney) => number): number =>
    line_items.reduce((total, line) => total + valueOf(line), 0);
  return {
    subtotal_minor: sum(amountOf),
    discount_minor: sum((line) => line.discount_minor),
    tax_minor: sum((line) => line.tax_minor),
    total_minor: sum((line) => lineTotal(line, tax_included)),
  };
}

/** Requires the totals to be the exact sums of the lines. @throws `validation_failed` with each member that is not */
export function requireTotals(order: Priced & Totals): void {
  const { line_items, tax_included } = order;
  const totals = totalsOf(order);
  // A partial sum that is not exact is above 2^53 - 1, and so are all later ones.
  const areExact = TOTALS.every((member) => Number.isSafeInteger(totals[member]));
  const errors = [
    ...line_items.flatMap((line, index) => faultsOf(line, tax_included, `/line_items/${index}`)),
    ...(areExact ? [] : [tooLarge('/line_items', 'The sums are below 2^53')]),
  ];
  if (errors.length === 0) {
    const wrong = TOTALS.filter((member) => order[member] !== totals[member]);
    errors.push(...wrong.map((member) => invalid(`/${member}`, `The lines add up to ${totals[member]}`)));
  }
  if (errors.length > 0) throw new ApiError('validation_failed', 'The amounts of the order do not fit', { errors });
}

function faultsOf(line: LineMoney, tax_included: boolean, pointer: string): FieldError[] {
  const amount = amountOf(line);
  const { discount_minor, tax_minor } = line;
  if (!Number.isSafeInteger(amount)) return [tooLarge(`${pointer}/unit_amount_minor`, 'The amount is below 2^53')];
  if (discount_minor > amount) return [tooLarge(`${pointer}/discount_minor`, `At most ${amount}`)];
  const paid = amount - discount_minor;
  return tax_included && tax_minor > paid ? [tooLarge(`${pointer}/tax_minor`, `At most ${paid}`)] : [];
}

function tooLarge(pointer: string, detail: string): FieldError {
  return { pointer, code: 'too_large', detail };
}

function invalid(pointer: string, detail: string): FieldError {
  return { pointer, code: 'invalid_value', detail };
}

/** A refund before its payment would count in a period without the payment. @throws `validation_failed` */
export function requireAfterPayment({ paid_at }: { readonly paid_at: Date | null }, refunded_at: Date): void {
  if (paid_at === null || refunded_at >= paid_at) return;
  throw new ApiError('validation_failed', 'The refund is before the payment of the order', {
    errors: [{ pointer: '/refunded_at', code: 'too_small', detail: `At least ${paid_at.toISOString()}` }],
  });
}

/** A line with what earlier refunds took of it. */
export interface RefundableLine {
  readonly position: number;
  readonly quantity: number;
  readonly refunded_quantity: number;
  /** The price of the line, with its discount and tax. */
  readonly total_minor: number;
}

export interface Refundable {
  readonly state: string;
  readonly total_minor: number;
  readonly refunded_minor: number;
  readonly line_items: readonly RefundableLine[];
}

export interface RefundRequest {
  /** Undefined: the value of the lines. */
  readonly amount_minor?: number | undefined;
  readonly line_items?: readonly { readonly position: number; readonly quantity: number }[] | undefined;
}

/** A part of a line that goes back. */
export interface RefundedLine {
  readonly position: number;
  readonly quantity: number;
  readonly amount_minor: number;
}

export interface RefundDecision {
  readonly state: 'partially_refunded' | 'refunded';
  readonly amount_minor: number;
  /** Sum of all refunds. */
  readonly refunded_minor: number;
  readonly line_items: readonly RefundedLine[];
  /** Positions of lines that lose what they gave. A line that lost it before may be among them. */
  readonly taken_back: readonly number[];
}

/**
 * Decides a refund. A line loses what it gave when all of it is refunded, and each line when the whole order is.
 *
 * @throws `invalid_state` for an order without payment, or more than is left; `validation_failed`
 */
export function refundOf(order: Refundable, { amount_minor, line_items = [] }: RefundRequest): RefundDecision {
  const { state, total_minor, refunded_minor } = order;
  if (state !== 'paid' && state !== 'partially_refunded')
    throw new ApiError('invalid_state', `The order is ${state}`, { hint: 'Only a paid order can be refunded' });
  if (line_items.length === 0 && (amount_minor ?? 0) === 0)
    refuse('validation_failed', invalid('/amount_minor', 'Name an amount above 0, or lines'));
  const parts = line_items.map((part, index) => partOf(order, part, `/line_items/${index}`));
  requireOnce(line_items);
  const value = parts.reduce((sum, part) => sum + part.amount_minor, 0);
  const amount = amount_minor ?? value;
  if (parts.length > 0 && amount > value)
    refuse('validation_failed', tooLarge('/amount_minor', `The lines have the value ${value}`));
  const left = total_minor - refunded_minor;
  if (amount > left) {
    const pointer = amount_minor === undefined ? '/line_items' : '/amount_minor';
    refuse('invalid_state', tooLarge(pointer, `${left} of the payment is left`));
  }
  const refunded = refunded_minor + amount;
  const whole = order.line_items.filter((line) => quantityAfter(line, parts) === line.quantity);
  // An order without a price has no money that says when it is refunded.
  const isWhole = refunded === total_minor && (total_minor > 0 || whole.length === order.line_items.length);
  return {
    state: isWhole ? 'refunded' : 'partially_refunded',
    amount_minor: amount,
    refunded_minor: refunded,
    line_items: parts,
    taken_back: (isWhole ? order.line_items : whole).map(({ position }) => position),
  };
}

/**
 * The value of the units `from` to `to` of a line. The values of all units add up to the total of the line, in any
 * parts they are refunded.
 */
export function shareOf({ total_minor, quantity }: RefundableLine, from: number, to: number): number {
  // A product may be above 2^53.
  const until = (units: number): bigint => (BigInt(total_minor) * BigInt(units)) / BigInt(quantity);
  return Number(until(to) - until(from));
}

function partOf(
  { line_items }: Refundable,
  { position, quantity }: { readonly position: number; readonly quantity: number },
  pointer: string,
): RefundedLine {
  const line = line_items.find((one) => one.position === position);
  if (line === undefined)
    return refuse('validation_failed', invalid(`${pointer}/position`, 'The order has no such line'));
  const { refunded_quantity: before } = line;
  const left = line.quantity - before;
  if (quantity > left) refuse('invalid_state', tooLarge(`${pointer}/quantity`, `${left} of the line is left`));
  return { position, quantity, amount_minor: shareOf(line, before, before + quantity) };
}

function requireOnce(line_items: readonly { readonly position: number }[]): void {
  const repeated = line_items.findIndex(({ position }, index) =>
    line_items.slice(0, index).some((one) => one.position === position),
  );
  if (repeated === -1) return;
  refuse('validation_failed', {
    pointer: `/line_items/${repeated}/position`,
    code: 'repeated',
    detail: 'Each line once',
  });
}

function quantityAfter({ position, refunded_quantity }: RefundableLine, parts: readonly RefundedLine[]): number {
  return refunded_quantity + (parts.find((part) => part.position === position)?.quantity ?? 0);
}

function refuse(code: 'validation_failed' | 'invalid_state', error: FieldError): never {
  throw new ApiError(code, 'The refund does not fit the order', { errors: [error] });
}
