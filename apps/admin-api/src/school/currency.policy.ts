import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';

/** Money of a request. A patch may leave out its currency. */
type Given = { readonly currency?: string } | null;

/**
 * Returns the error of new money in another currency than that of the school. Undefined: it has none.
 *
 * @param school the currency of the school; null: it has not set one
 */
export function currencyError(pointer: string, money: Given, school: string | null): FieldError | undefined {
  if (money === null || school === null || money.currency === school) return undefined;
  return { pointer, code: 'invalid_value', detail: `The currency of the school is ${school}` };
}

/** Requires a new price to be in the currency of the school, if it has set one. @throws `validation_failed` */
export function requireCurrency(price: Given, school: string | null): void {
  const error = currencyError('/price/currency', price, school);
  if (error !== undefined) throw new ApiError('validation_failed', 'The price does not fit', { errors: [error] });
}
