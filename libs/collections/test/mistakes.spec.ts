import { collection, collectionFrom, editable, resource, rowOf } from '@lyceum/collections';
import type { SiteStores } from '@lyceum/collections';
import type { EntityEvents } from '@lyceum/contracts';
import { z } from 'zod';
import { requireColumns } from '../src/store/store.checks.js';
import { Coupon } from './coupons/coupon.entity.js';
import { couponCollection } from './coupons/coupon.operations.js';
import { coupon } from './coupons/coupon.schema.js';
import { CouponService } from './coupons/coupon.service.js';
import type { VoucherService } from './coupons/voucher.js';

const words = { id: 'createCoupon', summary: 'Coupons', description: 'Coupons.' };
const shared = { name: 'coupons', service: CouponService, row: Coupon, resource: coupon } as const;
const told = { ...shared, scope: 'coupons' } as const;
const fields = { name: editable(z.string()) };
const examples = { object: {} };

/** Each mistake is refused by the compiler at its line. The functions are never called. */
const mistakes = {
  aMemberWithoutAColumn: () =>
    // @ts-expect-error `code` of the resource is neither a column of the rows nor in the view
    collection({ ...told, row: rowOf<Omit<Coupon, 'code'>>(), operations: {} }),
  aSortByNoMember: () =>
    // @ts-expect-error the sort is misspelt
    resource('Thing', { one: 'thing', fields, examples, sorts: ['-craeted_at'] }),
  aFilterByNoColumn: (
    stores: SiteStores,
    thing = resource('Thing', { one: 'thing', fields, examples, filters: { shade: z.string() } }),
  ) =>
    // @ts-expect-error rows have no `shade`, and no condition explains it
    stores.of<Coupon, EntityEvents, typeof thing>({ entity: Coupon, resource: thing }),
  aRangeOfNoMember: () =>
    // @ts-expect-error the range is misspelt
    resource('Thing', { one: 'thing', fields, examples, ranges: ['craeted_at'] }),
  anUnknownScope: () =>
    // @ts-expect-error the contract has no such scope
    collection({ ...shared, scope: 'cupons', operations: {} }),
  aViewOfNoMember: () =>
    // @ts-expect-error the resource has no member `shade`
    collection({ ...told, view: { shade: () => 'red' }, operations: {} }),
  aToolItemOfNoMember: () =>
    // @ts-expect-error the resource has no member `shade`
    collection({ ...told, toolItem: ['id', 'shade'], operations: {} }),
  aCreationByAnotherBody: (vouchers: VoucherService) =>
    collection({
      ...told,
      operations: {
        // @ts-expect-error the body is a coupon
        create: { ...words, run: (_, { principal, body, tx }) => vouchers.create(principal, body, tx) },
      },
    }),
  aPatchByAnotherBody: (vouchers: VoucherService) =>
    collection({
      ...told,
      operations: {
        // @ts-expect-error the patch is that of a coupon
        update: { ...words, run: (_, { principal, id, body, tx }) => vouchers.patch(principal, { id }, body, tx) },
      },
    }),
  aListOfAnotherEntity: (vouchers: VoucherService) =>
    collection({
      ...told,
      operations: {
        // @ts-expect-error the rows are vouchers
        list: { ...words, run: (_, { principal, query }) => vouchers.list(principal, query) },
      },
    }),
};

const { declared } = couponCollection;

it('lists ten mistakes that the compiler refuses', () => {
  expect(Object.keys(mistakes)).toHaveLength(10);
});

it.each([
  [{ scope: 'cupons' }, 'the scope cupons does not exist'],
  [{ view: { shade: () => 'red' } }, 'the view shows shade, which is no member of Coupon'],
  [{ toolItem: ['id', 'shade'] }, 'toolItem names shade, which items of the list do not have'],
  [
    { resource: { ...coupon, expand: { orders: { schema: z.string(), scope: 'orders:read' as const } } } },
    'operations.expand lacks orders',
  ],
])('refuses %j at the start', (changes, fault) => {
  expect(() => collectionFrom({ ...declared, ...changes })).toThrow(`The collection coupons: ${fault}`);
});

it.each([
  [{ resource: { ...coupon, filters: ['shade'] } }, 'the filter shade needs a column or a condition'],
  [{ resource: { ...coupon, ranges: ['made_at'] } }, 'the range made_at needs a column'],
  [{ resource: { ...coupon, defaultSort: '-made_at' } }, 'the sort made_at needs a column'],
  [{ unique: { coupons_name: ['site_id', 'title'] } }, 'unique names title, which is no column'],
  [
    { resource: { ...coupon, search: { text: `(title || ' ' || code)` } } },
    'the search names title, which is no column',
  ],
])('refuses a store with %j at the start', (changes, fault) => {
  const columns = ['site_id', 'id', 'created_at', 'updated_at', 'code', 'name', 'external_id', 'active'];
  const store = { resource: coupon, unique: { coupons_code: 'code' } };
  expect(() => requireColumns('coupons', columns, store)).not.toThrow();
  expect(() => requireColumns('coupons', columns, { ...store, ...changes })).toThrow(`The store of coupons: ${fault}`);
});
