import type { Line, Shop } from './shop.js';

/** Something to sell, a change of the amount of its price, and a change of its currency or one that removes it. */
export interface PricedItem {
  readonly line: Line;
  readonly path: string;
  readonly dearer: object;
  readonly other: object;
}

const CHANGES = { dearer: { price: { amount_minor: 2000 } }, other: { price: { currency: 'USD' } } };

const PRICED: Readonly<Record<string, (shop: Shop) => Promise<PricedItem>>> = {
  'a course plan': async (shop) => {
    const { id, course_id, line } = await shop.coursePlan();
    return { line, path: `/api/v1/courses/${course_id}/plans/${id}`, ...CHANGES };
  },
  'a draft of a membership plan': async (shop) => {
    const made = await shop.membership({ state: 'draft' });
    const price = { id: made.line.item.id, price: { amount_minor: 2000, currency: 'TWD' } };
    return { ...made, dearer: { prices: [price] }, other: { prices: [] } };
  },
  'a ticket': async (shop) => {
    const { event, id, line } = await shop.seat();
    return { line, path: `${event.path}/tickets/${id}`, ...CHANGES };
  },
  'a digital product': async (shop) => ({ ...(await shop.product()), ...CHANGES }),
  'a consulting service': async (shop) => {
    const { path, service_id: id } = await shop.checkout.newService({ price: { amount_minor: 1000, currency: 'TWD' } });
    return {
      line: { item_type: 'consulting_sessions', item: { id } },
      path,
      dearer: CHANGES.dearer,
      other: { price: null },
    };
  },
};

export const PRICED_ITEMS = Object.keys(PRICED);

/** Makes one of `PRICED_ITEMS`. */
export function pricedItem(shop: Shop, what: string): Promise<PricedItem> {
  const make = PRICED[what];
  if (make === undefined) throw new Error(`Nothing makes ${what}`);
  return make(shop);
}
