import type { Cases } from '@lyceum/collections/conventions';

export const couponCases: Cases = {
  create: (unique) => ({
    code: `C-${unique}`,
    name: `Coupon ${unique}`,
    discount: { kind: 'percentage', percent: 10 },
    min_order: { amount_minor: 100, currency: 'TWD' },
    external_id: unique,
  }),
  patch: { name: 'Another name', max_redemptions: 5, min_order: { amount_minor: 200 }, metadata: { a: 'b' } },
  unique: ['code', 'external_id'],
  readOnly: ['redeemed_count', 'active'],
  states: {
    member: 'active',
    initial: 'true',
    moves: { deactivate: { true: 'false', false: 'false' }, reactivate: { false: 'true', true: 'true' } },
  },
  search: ({ external_id }) => String(external_id),
  filters: {
    code: [({ code }) => code, 'NONE'],
    external_id: [({ external_id }) => external_id, 'none'],
    active: [({ active }) => active, false],
  },
  fenced: { client_id: 'reseller-1' },
};

const voucher = (unique: string) => ({
  code: `v-${unique}`,
  name: `Voucher ${unique}`,
  price: { amount_minor: 100, currency: 'TWD' },
  external_id: unique,
});

export const voucherCases: Cases = {
  create: voucher,
  patch: { name: 'Another name', price: { amount_minor: 200 }, tags: ['x'] },
  unique: ['code', 'external_id'],
  readOnly: ['redeemed_count'],
  filters: { external_id: [({ external_id }) => external_id, 'none'] },
  personal: true,
  fenced: { client_id: 'reseller-1' },
  scopes: scopesOf('vouchers', ['GET', 'POST'], ['GET', 'PATCH', 'DELETE'], {
    'POST /bulk': 'write',
    'POST /{id}/copy': 'write',
    'PUT /by_external_id/{external_id}': 'write',
  }),
};

export const redemptionCases: Cases = {
  create: (unique) => ({ member: `Member ${unique}` }),
  readOnly: ['voucher_id'],
  parent: { collection: 'vouchers', create: voucher },
  unfenced: 'The fixture fences vouchers alone',
  scopes: {
    'GET /api/v1/vouchers/{voucher_id}/redemptions': 'coupons:read',
    'POST /api/v1/vouchers/{voucher_id}/redemptions': 'coupons:write',
    'GET /api/v1/vouchers/{voucher_id}/redemptions/{redemption_id}': 'coupons:read',
    'DELETE /api/v1/vouchers/{voucher_id}/redemptions/{redemption_id}': 'coupons:write',
    'POST /api/v1/vouchers/{voucher_id}/redemptions/{redemption_id}/void': 'coupons:write',
  },
  exempt: ['filters by time, own key and words'],
};

export const settingsCases: Cases = {
  unfenced: 'Each site has one object',
  patch: (unique) => ({ greeting: `Good day, ${unique}` }),
  readOnly: [],
  scopes: { 'GET /api/v1/voucher_settings': 'coupons:read', 'PATCH /api/v1/voucher_settings': 'coupons:write' },
};

function scopesOf(
  name: string,
  list: readonly string[],
  one: readonly string[],
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const path = `/api/v1/${name}`;
  const half = (method: string): string => `coupons:${method === 'GET' ? 'read' : 'write'}`;
  return Object.fromEntries([
    ...list.map((method) => [`${method} ${path}`, half(method)]),
    ...one.map((method) => [`${method} ${path}/{id}`, half(method)]),
    ...Object.entries(more).map(([route, access]) => [route.replace(' ', ` ${path}`), `coupons:${access}`]),
  ]) as Record<string, string>;
}
