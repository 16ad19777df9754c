import type { MEMBERSHIP_PLAN_TYPES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { Money } from '@lyceum/rest';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';
import { lessened } from '#src/pending-orders/ordered-item.policy.js';

export type PlanType = (typeof MEMBERSHIP_PLAN_TYPES)[number];

export const PLAN_STATES = ['draft', 'active', 'archived'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export const INTERVALS = ['day', 'week', 'month', 'year'] as const;
type BillingInterval = (typeof INTERVALS)[number];

/** Prices of one plan, withdrawn ones included. */
export const MAX_PRICES = 50;
const SLUG_LENGTH = 100;

interface PriceTerms {
  /** Null: paid once. */
  readonly interval: BillingInterval | null;
  readonly interval_count: number;
  readonly price: Money;
  readonly trial_days: number;
}

/** A way to pay a plan. */
export interface PlanPrice extends PriceTerms {
  readonly id: string;
  /** False: withdrawn from sale. */
  readonly active: boolean;
}

/** A price in a request. */
export type GivenPrice = PriceTerms & { readonly id?: string | undefined; readonly active: boolean };

/** The members of a plan that depend on its type. */
export interface PlanRules {
  readonly plan_type: PlanType;
  readonly state: PlanState;
  readonly access_days: number | null;
  readonly access_ends_at: Date | null;
  readonly prices: readonly PlanPrice[];
}

const MOVES = {
  activate: { from: ['draft'], to: 'active', event: 'activated' },
  archive: { from: ['active'], to: 'archived', event: 'archived' },
} as const satisfies Moves<PlanState>;
export type PlanMove = keyof typeof MOVES;

/**
 * draft → active → archived; undefined for a plan that is there already.
 *
 * @throws `invalid_state`, also for the activation of a plan without an active price
 */
export function moveOf(
  plan: Pick<PlanRules, 'state' | 'prices'>,
  name: PlanMove,
): (typeof MOVES)[PlanMove] | undefined {
  const move = allowedMove('A membership plan', MOVES, plan.state, name);
  if (move === undefined) return undefined;
  if (name === 'activate' && !isPriced(plan)) {
    throw new ApiError('invalid_state', 'A membership plan without an active price cannot be activated', {
      hint: 'Set `prices` first',
    });
  }
  return move;
}

/** @throws `invalid_state` */
export function requireEditable({ state }: Pick<PlanRules, 'state'>): void {
  if (state === 'archived') throw new ApiError('invalid_state', 'An archived membership plan cannot be changed');
}

/**
 * Sales keep the type of their plan, and count against its quantity.
 *
 * @throws `invalid_state` for another type, `validation_failed` for a quantity below the number of sales
 */
export function requireSalesKept(
  { sold_count }: { readonly sold_count: number },
  changes: { readonly plan_type?: PlanType; readonly quantity?: number | null },
): void {
  if (changes.plan_type !== undefined && sold_count > 0) {
    throw new ApiError('invalid_state', 'A membership plan that was sold keeps its plan_type', {
      errors: [{ pointer: '/plan_type', code: 'not_changeable', detail: `It was sold ${sold_count} times` }],
      hint: 'Archive the plan, and create another one',
    });
  }
  const { quantity = null } = changes;
  if (quantity !== null && quantity < sold_count) {
    refuse([{ pointer: '/quantity', code: 'too_small', detail: `The plan was sold ${sold_count} times` }]);
  }
}

/** @throws `validation_failed` with each member that the type of the plan lacks or does not have */
export function requireRules(plan: PlanRules): void {
  const { plan_type, access_days, access_ends_at } = plan;
  const errors: FieldError[] = [
    ...termErrors(plan_type, 'access_days', access_days, 'specific_length'),
    ...termErrors(plan_type, 'access_ends_at', access_ends_at, 'fixed_date'),
    ...plan.prices.flatMap((price, index) => (price.active ? priceErrors(plan_type, price, `/prices/${index}`) : [])),
  ];
  if (plan.state === 'active' && !isPriced(plan)) {
    errors.push({ pointer: '/prices', code: 'required', detail: 'An active plan has an active price' });
  }
  refuse(errors);
}

function isPriced({ prices }: Pick<PlanRules, 'prices'>): boolean {
  return prices.some(({ active }) => active);
}

function termErrors(plan_type: PlanType, term: string, value: unknown, of: PlanType): FieldError[] {
  if ((plan_type === of) === (value !== null)) return [];
  const detail = plan_type === of ? `A ${plan_type} plan needs it` : `A ${plan_type} plan has none`;
  return [{ pointer: `/${term}`, code: 'invalid_value', detail }];
}

function priceErrors(plan_type: PlanType, price: PriceTerms, at: string): FieldError[] {
  const refused = (member: string, detail: string): FieldError => ({
    pointer: `${at}/${member}`,
    code: 'invalid_value',
    detail,
  });
  if (plan_type === 'recurring') {
    return price.interval === null ? [refused('interval', 'A price of a recurring plan needs it')] : [];
  }
  return [
    ...(price.interval === null ? [] : [refused('interval', `A ${plan_type} plan is paid once`)]),
    ...(price.interval_count === 1 ? [] : [refused('interval_count', `A ${plan_type} plan is paid once`)]),
    ...(price.trial_days === 0 ? [] : [refused('trial_days', 'Only a recurring plan has a trial')]),
  ];
}

/**
 * @param currency of the school; null: it has not set one, so the first price decides
 * @throws `validation_failed` for an active price in another currency
 */
export function requireOneCurrency(prices: readonly PlanPrice[], currency: string | null): void {
  const first = prices.find(({ active }) => active)?.price.currency;
  const wanted = currency ?? first;
  refuse(
    prices.flatMap((one, index): FieldError[] =>
      one.active && one.price.currency !== wanted
        ? [{ pointer: `/prices/${index}/price/currency`, code: 'invalid_value', detail: `The currency is ${wanted}` }]
        : [],
    ),
  );
}

/**
 * Returns the prices of a plan after a request with a list of them. A price with an id keeps it. A price without one is
 * the known price with the same terms, or a new one, so a repeated request changes nothing. A known price that the list
 * leaves out is removed from a draft, which was never sold; any other plan keeps it as a withdrawn price, because
 * subscriptions and orders may name it.
 *
 * @throws `validation_failed` for an unknown or repeated id, for equal prices, and for too many of them
 */
export function pricesAfter(
  { state, prices: known }: Pick<PlanRules, 'state' | 'prices'>,
  given: readonly GivenPrice[],
  newId: () => string,
): PlanPrice[] {
  refuse(idErrors(known, given));
  const named = new Set(given.map(({ id }) => id));
  const free = known.filter(({ id }) => !named.has(id)).toSorted((a, b) => Number(b.active) - Number(a.active));
  const listed = given.map(({ id, ...price }): PlanPrice => {
    if (id !== undefined) return { id, ...price };
    const same = free.findIndex((one) => termsOf(one) === termsOf(price));
    const [found] = same === -1 ? [] : free.splice(same, 1);
    return { id: found?.id ?? newId(), ...price };
  });
  const left = known.filter((one) => state !== 'draft' && free.includes(one));
  const all = [...listed, ...left.map((one) => ({ ...one, active: false }))];
  const sold = all.map((one) => (one.active ? termsOf(one) : one.id));
  refuse(
    sold.flatMap((terms, index): FieldError[] =>
      sold.indexOf(terms) === index
        ? []
        : [{ pointer: `/prices/${index}`, code: 'repeated', detail: 'Another active price has the same terms' }],
    ),
  );
  if (all.length > MAX_PRICES) {
    const detail = `A plan has at most ${MAX_PRICES} prices, withdrawn ones included`;
    refuse([{ pointer: '/prices', code: 'too_large', detail }]);
  }
  return all;
}

/** Returns the ids of prices that a list does not have, or has with other terms. */
export function lostPrices(known: readonly PlanPrice[], after: readonly PlanPrice[]): readonly string[] {
  const kept = new Map(after.map((one) => [one.id, termsOf(one)]));
  return known.filter((one) => kept.get(one.id) !== termsOf(one)).map(({ id }) => id);
}

/** @throws `resource_in_use` if pending orders name one of the prices */
export function requireUnordered(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const detail = `A pending order names the price ${ids.join(', ')}`;
  throw new ApiError('resource_in_use', 'A pending order names a price that the change removes or replaces', {
    errors: [{ pointer: '/prices', code: 'resource_in_use', detail }],
    hint: 'Set `active` of the price to false and add another one, or wait until the order is no longer pending',
  });
}

/** Returns the members whose changes give the buyer of the plan less. */
export function lessenedTerms(plan: PlanRules, changes: object): readonly string[] {
  return lessened(['access_days', 'access_ends_at'], plan, changes);
}

/** @throws `resource_in_use` if pending orders name one of the prices of a plan that would give less */
export function requireNoLess(ids: readonly string[], members: readonly string[]): void {
  if (ids.length === 0) return;
  const detail = `A pending order names the price ${ids.join(', ')}`;
  throw new ApiError('resource_in_use', 'A pending order buys the plan, which would give less', {
    errors: members.map((member) => ({ pointer: `/${member}`, code: 'resource_in_use', detail })),
    hint: 'Sell another plan, or wait until the order is no longer pending',
  });
}

function idErrors(known: readonly PlanPrice[], given: readonly GivenPrice[]): FieldError[] {
  const ids = given.map(({ id }) => id);
  return ids.flatMap((id, index): FieldError[] => {
    const pointer = `/prices/${index}/id`;
    if (id === undefined) return [];
    if (ids.indexOf(id) !== index) return [{ pointer, code: 'repeated', detail: 'The id occurs twice' }];
    const isKnown = known.some((one) => one.id === id);
    return isKnown ? [] : [{ pointer, code: 'not_found', detail: 'The plan has no price with this id' }];
  });
}

function termsOf({ interval, interval_count, price, trial_days }: PriceTerms): string {
  return JSON.stringify([interval, interval_count, price.amount_minor, price.currency, trial_days]);
}

/** Returns a slug of the words of a name. @throws `validation_failed` for a name without Latin letters and digits */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, SLUG_LENGTH).replace(/-$/, '');
  if (slug === '') {
    refuse([{ pointer: '/slug', code: 'required', detail: 'The name has no Latin letters or digits to make it from' }]);
  }
  return slug;
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw new ApiError('validation_failed', 'The members of the membership plan do not fit', { errors });
  }
}

/** The members of a plan that decide about a sale. */
interface Sold {
  readonly state: PlanState;
  readonly price: Pick<PlanPrice, 'active'>;
}

/**
 * An order that was recorded before its payment also buys what was withdrawn or archived meanwhile.
 *
 * @throws `invalid_state` for a plan that is not active, and for a withdrawn price
 */
export function requireForSale({ state, price }: Sold, wasPending: boolean): void {
  if (wasPending ? state !== 'draft' : state === 'active' && price.active) return;
  const detail = state === 'active' ? 'The price was withdrawn' : `The membership plan is ${state}`;
  throw new ApiError('invalid_state', detail, { errors: [{ pointer: '/item_id', code: 'not_for_sale', detail }] });
}

export function soldOut(): ApiError {
  const detail = 'All memberships of the plan are sold';
  return new ApiError('invalid_state', detail, { errors: [{ pointer: '/item_id', code: 'sold_out', detail }] });
}
