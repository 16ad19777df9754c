import { ApiError } from '@lyceum/errors';
import type { FileUse } from '#src/files/file-use.policy.js';
import type { PublicationState } from '#src/publication/publication.policy.js';
import { requireCurrency } from '#src/school/currency.policy.js';
import { daysAfter } from '#src/time-zones/period.policy.js';

/** A patch may leave out one part. */
interface Price {
  readonly amount_minor?: number;
  readonly currency?: string;
}

interface Prices {
  readonly price: Price;
  readonly compare_at_price: Price | null;
}

/**
 * @param prices after the change
 * @param currency of the school; null: it has not set one, or the price is not new
 * @throws `validation_failed`
 */
export function requirePrices({ price, compare_at_price }: Prices, currency: string | null): void {
  requireCurrency(price, currency);
  if (compare_at_price === null) return;
  const { amount_minor, currency: compared } = compare_at_price;
  if (amount_minor === undefined || compared === undefined)
    return refuse('/compare_at_price', 'A price has an amount_minor and a currency');
  if (compared !== price.currency) refuse('/compare_at_price/currency', 'Both prices have the same currency');
  if (amount_minor <= (price.amount_minor ?? 0)) refuse('/compare_at_price/amount_minor', 'Must be above the price');
}

function refuse(pointer: string, detail: string): never {
  throw new ApiError('validation_failed', 'The price does not fit', {
    errors: [{ pointer, code: 'invalid_value', detail }],
  });
}

/** A public product has something to download. @throws `invalid_state` */
export function requireFiles(files: readonly unknown[]): void {
  if (files.length > 0) return;
  throw new ApiError('invalid_state', 'A digital product without files cannot be published', {
    hint: 'Upload a file and add it to files first',
  });
}

/** A change keeps a file in a product that visitors see. @throws `invalid_state` */
export function requireFilesIfPublic({
  state,
  files,
}: {
  readonly state: PublicationState;
  readonly files: readonly unknown[];
}): void {
  if (state !== 'published' || files.length > 0) return;
  throw new ApiError('invalid_state', 'A published digital product keeps at least one file', {
    hint: 'Unpublish the product first',
  });
}

/** An archived product keeps its grants and accepts no others. @throws `invalid_state` */
export function requireNotArchived(state: PublicationState, to: string): void {
  if (state === 'archived') throw new ApiError('invalid_state', `An archived digital product cannot ${to}`);
}

interface AccessTerms {
  readonly access_days: number | null;
  /** IANA name of the zone of the school, on whose clock access ends. */
  readonly time_zone: string;
}

/** Returns when access that begins at an instant ends. Null: for life. */
export function accessEndOf({ access_days, time_zone }: AccessTerms, start: Date): Date | null {
  return access_days === null ? null : daysAfter(start, access_days, time_zone);
}

/** The uses of files that a request names. */
export function usesOf(files: readonly { readonly file_id: string }[]): readonly FileUse[] {
  return files.map(({ file_id }, index) => ({ file_id, pointer: `/files/${index}/file_id`, purpose: 'attachment' }));
}
