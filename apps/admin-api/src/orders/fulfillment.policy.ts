import type { OrderItemType } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { Fulfillment, ItemReference } from './fulfillment.js';

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

/** Runs work of one line. Its errors name the line. */
export async function withinLine<T>(position: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? ofLine(error, `/line_items/${position - 1}`) : error;
  }
}

function ofLine({ code, message, errors, hint, retryAfter }: ApiError, line: string): ApiError {
  const named = errors.map((error) =>
    // A line names its item by `item`.
    error.pointer === undefined
      ? error
      : { ...error, pointer: `${line}${error.pointer.replace(/^\/item_id$/, '/item')}` },
  );
  const all = named.length > 0 ? named : [{ pointer: line, code, detail: message }];
  return new ApiError(code, message, { errors: all, ...(hint && { hint }), ...(retryAfter && { retryAfter }) });
}
