import type { OrderItemType } from '@lyceum/contracts';

/** An amount has as many minor units as its currency says, so the rules are the same for every currency. */
export type Discount =
  | { readonly kind: 'fixed_amount'; readonly amount: { readonly amount_minor: number; readonly currency: string } }
  | { readonly kind: 'percentage'; readonly percent: number };

/** The items that a coupon reduces. Two empty lists: all items. */
export interface AppliesTo {
  readonly item_types: readonly OrderItemType[];
  readonly ids: readonly string[];
}

/** A line of an order. The sum of the amounts of an order is an exact integer of JSON. */
export interface OrderLine {
  readonly item_type: OrderItemType;
  readonly item_id: string;
  /** The course of a plan, the membership plan of a price, the event of a ticket. */
  readonly parent_id?: string | undefined;
  readonly amount_minor: number;
}

function covers({ item_types, ids }: AppliesTo, { item_type, item_id, parent_id }: OrderLine): boolean {
  if (item_types.length === 0 && ids.length === 0) return true;
  return (
    item_types.includes(item_type) || ids.includes(item_id) || (parent_id !== undefined && ids.includes(parent_id))
  );
}

/**
 * Returns the discount of each line in minor units; 0 for a line that the coupon does not cover. A percentage of the
 * covered sum is rounded half up, once for the order. A fixed amount never exceeds the covered sum.
 */
export function discountsOf(
  { discount, applies_to }: { readonly discount: Discount; readonly applies_to: AppliesTo },
  lines: readonly OrderLine[],
): readonly number[] {
  const amounts = lines.map((line) => (covers(applies_to, line) ? BigInt(line.amount_minor) : 0n));
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  return apportion(totalOf(discount, sum), amounts, sum).map(Number);
}

function totalOf(discount: Discount, sum: bigint): bigint {
  if (discount.kind === 'percentage') return (sum * BigInt(discount.percent) + 50n) / 100n;
  const amount = BigInt(discount.amount.amount_minor);
  return amount < sum ? amount : sum;
}

/**
 * Divides a total, which does not exceed the sum, in proportion to the amounts by the method of the largest remainders:
 * the parts add up to the total, and none exceeds its amount. The first of equal remainders comes first.
 */
function apportion(total: bigint, amounts: readonly bigint[], sum: bigint): readonly bigint[] {
  if (sum === 0n) return amounts;
  const parts = amounts.map((amount) => (total * amount) / sum);
  const missing = Number(total - parts.reduce((known, part) => known + part, 0n));
  const remainders = amounts.map((amount, index) => ({ index, remainder: (total * amount) % sum }));
  remainders.sort((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder) || a.index - b.index);
  const raised = new Set(remainders.slice(0, missing).map(({ index }) => index));
  return parts.map((part, index) => (raised.has(index) ? part + 1n : part));
}
