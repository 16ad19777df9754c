import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation on coupons, also in a dry run. */
export async function useCoupons(proxy: ValidationProxy, unique: string): Promise<void> {
  const body = { name: 'By Prism', code: `PRISM-${unique}`, discount: { kind: 'percentage', percent: 10 } };
  const { id } = await proxy.write('createCoupon', 201, { body });
  const path = { id, code: body.code, external_id: `coupon-${unique}`, coupon_id: id };
  await proxy.send('createCoupon', 409, { body });
  await proxy.write('putCoupon', 201, { path, body: { ...body, code: `PUT-${unique}` } });
  await proxy.write('updateCoupon', 200, { path, body: { applies_to: { item_types: ['ticket'] } } });
  for (const action of ['deactivate', 'reactivate']) await proxy.write(`${action}Coupon`, 200, { path });
  await proxy.list('listCoupons');
  await proxy.get('getCoupon', { path });
  await proxy.get('getCouponByCode', { path });
  await proxy.send('listCouponRedemptions', 200, { path });
  const redemption = await proxy.list('listRedemptionsOfCoupons');
  await proxy.get('getRedemptionOfCoupon', { path: { id: redemption } });
  await proxy.write('generateCoupons', 200, { body: { name: 'By Prism', discount: body.discount, count: 2 } });
  await proxy.write('deleteCoupon', 204, { path });
}
