import { z } from 'zod';
import type { OperatorApi } from './operator-api.js';

const PATH = '/api/v1/coupons';

/** A coupon of a demo school, as the operator API takes it. */
interface DemoCoupon {
  /** Id in the storefront. */
  readonly external_id: string;
  readonly [member: string]: unknown;
}

const twd = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });

const COUPONS: readonly DemoCoupon[] = [
  {
    external_id: 'coupon-welcome',
    name: 'Ten percent off the first order',
    code: 'WELCOME10',
    discount: { kind: 'percentage', percent: 10 },
    max_per_member: 1,
  },
  {
    external_id: 'coupon-early-bird',
    name: 'NT$300 off a course for early birds',
    code: 'EarlyBird300',
    discount: { kind: 'fixed_amount', amount: twd(30_000) },
    applies_to: { item_types: ['course_plan'] },
    min_order: twd(150_000),
    max_redemptions: 50,
    expires_at: '2035-01-01T00:00:00Z',
  },
  {
    external_id: 'coupon-friends',
    name: 'A quarter off three months of membership',
    code: 'FRIENDS-25',
    discount: { kind: 'percentage', percent: 25 },
    duration: 'repeating',
    duration_months: 3,
    applies_to: { item_types: ['membership_plan'] },
    starts_at: '2034-01-01T00:00:00Z',
  },
];

const listed = z.object({ data: z.array(z.unknown()) });

/** Creates the coupons that are missing. */
export async function importCoupons(api: OperatorApi): Promise<void> {
  for (const { external_id, ...body } of COUPONS) {
    const { data } = listed.parse((await api.send('GET', `${PATH}?external_id=${external_id}`)).body);
    if (data.length === 0) await api.send('PUT', `${PATH}/by_external_id/${external_id}`, { body });
  }
}
