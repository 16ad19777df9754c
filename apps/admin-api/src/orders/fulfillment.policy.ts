import type { OrderItemType } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { Fulfillment, ItemReference, Sale } from './fulfillment.js';

export interface NamedLine {
  readonly item_type: OrderItemType;
  readonly item: ItemReference;
  readonly quantity: number;
}

/** @throws `validation_failed` for a quantity of what a student needs once, or a second membership plan */
export function requireSellable(
  lines: readonly NamedLine[],
  by: ReadonlyMap<OrderItemType, Pick<Fulfillment, 'countable'>>,
): void {
  const first = lines.findIndex(({ item_type }) => item_type === 'membership_plan');
  const errors = lines.flatMap(({ item_type, quantity }, index): FieldError[] => {
    const pointer = `/line_items/${index}`;
    if (item_type === 'membership_plan' && index > first)
      return [{ pointer: `${pointer}/item_type`, code: 'repeated', detail: 'An order has one membership plan' }];
    if (quantity === 1 || by.get(item_type)?.countable === true) return [];
    return [{ pointer: `${pointer}/quantity`, code: 'too_large', detail: `A ${item_type} is sold once` }];
  });
  if (errors.length > 0) throw new ApiError('validation_failed', 'The order has lines that cannot be sold', { errors });
}

/** An item that two lines name would be taken back with the first of them. @throws `validation_failed` */
export function requireDifferentItems(
  lines: readonly { readonly item_type: OrderItemType; readonly item_id: string }[],
): void {
  const keys = lines.map(({ item_type, item_id }) => `${item_type} ${item_id}`);
  const repeated = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (repeated !== -1) throw repeats(repeated, 'Another line names the same item');
}

/** Two plans of one course give one grant, which no line could take back alone. @throws `validation_failed` */
export function requireNewGrant(position: number, id: string, given: ReadonlyMap<number, string>): void {
  if ([...given.values()].includes(id)) throw repeats(position - 1, 'Another line gives the same');
}

function repeats(index: number, detail: string): ApiError {
  return new ApiError('validation_failed', 'The order has a line twice', {
    errors: [{ pointer: `/line_items/${index}/item`, code: 'repeated', detail }],
  });
}

/** @throws `invalid_state` */
export function refuseWithdrawn(index: number): never {
  const detail = 'The item was withdrawn';
  throw new ApiError('invalid_state', detail, {
    errors: [{ pointer: `/line_items/${index}/item`, code: 'not_for_sale', detail }],
  });
}

/** Runs work of one line. Its errors name the line. */
export async function withinLine<T>(position: number, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw ofLine(error, position);
  });
}

/** Sells lines one after the other. The errors of each name the line. */
export async function oneByOne<S extends { readonly position: number }>(
  sales: readonly S[],
  sell: (sale: S) => Promise<{ readonly id: string }>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const sale of sales) ids.push((await withinLine(sale.position, () => sell(sale))).id);
  return ids;
}

/** The buyer of all lines of an order, with a way to decide about each. Its errors name the line. */
export function buyerOf(sales: readonly Sale[]) {
  const [first] = sales;
  if (first === undefined) throw new Error('An order sells at least one line');
  const { order_id, student_id, at, ordered_at } = first;
  const each = <T>(index: number, decide: () => T): T => atLine(sales[index]?.position ?? 0, decide);
  return { order_id, student_id, at, wasPending: ordered_at !== undefined, each };
}

/** Makes a decision about one line. Its errors name the line. */
export function atLine<T>(position: number, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    throw ofLine(error, position);
  }
}

function ofLine(error: unknown, position: number): unknown {
  return error instanceof ApiError ? named(error, `/line_items/${position - 1}`) : error;
}

function named({ code, message, errors, hint, retryAfter }: ApiError, line: string): ApiError {
  const members = errors.map((error) =>
    // A line names its item by `item`.
    error.pointer === undefined
      ? error
      : { ...error, pointer: `${line}${error.pointer.replace(/^\/item_id$/, '/item')}` },
  );
  const all = members.length > 0 ? members : [{ pointer: line, code, detail: message }];
  return new ApiError(code, message, { errors: all, ...(hint && { hint }), ...(retryAfter && { retryAfter }) });
}
