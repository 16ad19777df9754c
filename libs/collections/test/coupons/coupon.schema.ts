import { editable, readOnly, resource } from '@lyceum/collections';
import type { ObjectOf, PatchOf } from '@lyceum/collections';
import { externalId, instant, metadata, moneyIn, name } from '@lyceum/rest';
import { z } from 'zod';

const code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{3,40}$/, '3 to 40 letters, digits and hyphens');
const discount = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed_amount'), amount: moneyIn }),
  z.strictObject({ kind: z.literal('percentage'), percent: z.int().min(1).max(100) }),
]);
const count = (max: number) => z.int().min(1).max(max).nullable().meta({ description: 'null: without limit' });

const EXAMPLE = {
  code: 'AUTUMN-10',
  name: 'Ten percent off',
  discount: { kind: 'percentage', percent: 10 },
  expires_at: '2026-12-01T00:00:00.000Z',
  max_redemptions: 100,
  max_per_member: 1,
  min_order: { amount_minor: 50_000, currency: 'TWD' },
  redeemed_count: 3,
  active: true,
} as const;

export const coupon = resource('Coupon', {
  one: 'coupon',
  fields: {
    code: editable(code.meta({ description: 'In capitals; unique at the site' })),
    name: editable(name(200).meta({ description: 'Name that operators read' })),
    discount: editable(discount),
    duration: editable(z.enum(['once', 'repeating', 'forever']), 'once'),
    starts_at: editable(instant.nullable(), null),
    expires_at: editable(instant.nullable(), null),
    max_redemptions: editable(count(1_000_000), null),
    max_per_member: editable(count(1_000), null),
    min_order: editable(moneyIn.nullable().meta({ description: 'Smallest order that the coupon reduces' }), null),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    redeemed_count: readOnly(z.int().meta({ description: 'Redemptions so far' })),
    active: readOnly(z.boolean().meta({ description: 'Whether members can redeem it' })),
  },
  sorts: ['-created_at', '-updated_at', 'name'],
  filters: { code, external_id: externalId, active: z.boolean() },
  search: { text: `(name || ' ' || code)`, in: 'name or code' },
  ranges: ['created_at', 'updated_at'],
  examples: { object: EXAMPLE, patch: { name: 'Ten off', expires_at: null } },
});
export type CouponObject = ObjectOf<typeof coupon>;
export type CouponPatch = PatchOf<typeof coupon>;
