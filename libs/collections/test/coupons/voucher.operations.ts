import { collection } from '@lyceum/collections';
import { eachInSavepoint, rowTag } from '@lyceum/rest';
import { VoucherService, voucher, Voucher } from './voucher.js';

/** Everything that coupons do without. */
export const voucherCollection = collection({
  name: 'vouchers',
  scope: 'coupons',
  service: VoucherService,
  row: Voucher,
  resource: voucher,
  etag: ({ version, redeemed_count }) => rowTag(version, redeemed_count),
  personal: true,
  toolItem: ['id', 'code'],
  operations: {
    list: {
      id: 'listVouchers',
      summary: 'List vouchers',
      description: 'Returns the vouchers of the site.',
      run: (vouchers, { principal, query }) => vouchers.list(principal, query),
    },
    get: {
      id: 'getVoucher',
      summary: 'Get a voucher',
      description: 'Returns one voucher.',
      run: (vouchers, { principal, id }) => vouchers.get(principal, id),
    },
    create: {
      id: 'createVoucher',
      summary: 'Create a voucher',
      description: 'Creates one voucher.',
      problems: ['already_exists'],
      run: (vouchers, { principal, body, tx }) => vouchers.create(principal, body, tx),
    },
    bulk: {
      id: 'createVouchers',
      summary: 'Create vouchers',
      description: 'Creates up to 200 vouchers.',
      body: voucher.create,
      run: (vouchers, { principal, body, tx }) =>
        eachInSavepoint(tx, body, (inner, item) => vouchers.create(principal, item, inner)),
    },
    upsert: {
      id: 'putVoucher',
      summary: 'Create or update a voucher',
      description: 'Creates the voucher of the `external_id`, or changes the fields that the body names.',
      problems: ['already_exists'],
      run: (vouchers, request) => vouchers.upsert(request),
    },
    update: {
      id: 'updateVoucher',
      summary: 'Update a voucher',
      description: 'JSON Merge Patch (RFC 7396).',
      problems: ['already_exists'],
      run: (vouchers, { principal, body, tx, ...key }) => vouchers.patch(principal, key, body, tx),
    },
    actions: {
      copy: {
        id: 'copyVoucher',
        summary: 'Copy a voucher',
        description: 'Creates a voucher with the price and the tags of this one.',
        creates: true,
        tool: { description: 'Copies a voucher under another code. Use it for a second one with the same price.' },
        run: (vouchers, { principal, tx, ...key }) => vouchers.copy(principal, key, tx),
      },
    },
    delete: {
      id: 'deleteVoucher',
      summary: 'Delete a voucher',
      description: 'Deletes a voucher without redemptions.',
      problems: ['resource_in_use'],
      tool: { description: 'Deletes a voucher without redemptions. Use it for one created by mistake.' },
      run: (vouchers, { principal, tx, ...key }) => vouchers.remove(principal, key, tx),
    },
    expand: {
      redemptions: (vouchers, { principal, rows }) =>
        vouchers.redemptions(
          principal,
          rows.map(({ id }) => id),
        ),
    },
  },
});
