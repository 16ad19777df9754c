import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { DigitalProductGrant } from './digital-product-grant.entity.js';
import { GRANT_STATES, stateAt } from './digital-product-grant.policy.js';
import { digitalProductGrant } from './digital-product-grant.schema.js';
import { DigitalProductGrantService } from './digital-product-grant.service.js';

const stateOf = (row: DigitalProductGrant) => stateAt(row, new Date());

export const digitalProductGrantCollection = collection({
  name: 'purchases',
  scope: 'digital_products',
  service: DigitalProductGrantService,
  row: DigitalProductGrant,
  parent: { name: 'digital_products', one: 'digital product' },
  resource: digitalProductGrant,
  view: { state: stateOf },
  // A purchase expires before its row follows, so the tag includes the state.
  etag: (row) => rowTag(row.revision, GRANT_STATES.indexOf(stateOf(row))),
  personal: true,
  toolItem: ['id', 'student_id', 'state', 'source', 'granted_at', 'expires_at'],
  operations: {
    list: {
      id: 'listDigitalProductPurchases',
      summary: 'List the purchases of a digital product',
      description: 'Returns purchases of every state, or those of one student. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists who has a digital product, newest first, for owners and admins. Use it to see until when a student can ' +
          'download, and for the ids that update_digital_product_purchase takes.',
      },
      run: (grants, { principal, parent_id, query }) =>
        grants.list(principal, query, { digital_product_id: parent_id }),
    },
    get: {
      id: 'getDigitalProductPurchase',
      summary: 'Get a purchase of a digital product',
      description: 'Returns who has the product, since when and until when. Needs the role owner or admin.',
      problems: ['forbidden'],
      run: (grants, { principal, parent_id, id }) => grants.get(principal, id, { digital_product_id: parent_id }),
    },
    create: {
      id: 'grantDigitalProductPurchase',
      summary: 'Grant a digital product to a student',
      description:
        'Gives a student the product, until the end that the product sets. A student has one active purchase of a ' +
        'product: it is returned with 200 and stays as it is. A product in any state but archived can be granted. Needs ' +
        'the role owner or admin.',
      existing: 'The active purchase of the student',
      knownBy: ['student_id'],
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Gives a student a digital product without an order, for owners and admins; an active purchase stays as it is. ' +
          'Use it for a gift or a sale elsewhere; update_digital_product_purchase changes its end.',
      },
      run: (grants, { principal, parent_id, body, tx }) =>
        grants.grant(principal, { digital_product_id: parent_id }, body, tx),
    },
    update: {
      id: 'updateDigitalProductPurchase',
      summary: 'Update a purchase of a digital product',
      description:
        'JSON Merge Patch (RFC 7396). `expires_at` extends or shortens access by hand and by orders alike; null makes it for ' +
        'life. A later end brings an expired purchase back. A revoked one cannot change. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes until when a student can download a digital product, for owners and admins. Use it to extend or ' +
          'shorten access; revoke_digital_product_purchase ends it.',
      },
      run: (grants, { principal, parent_id: digital_product_id, body, tx, ...key }) =>
        grants.extend(principal, { ...key, digital_product_id }, body, tx),
    },
    actions: {
      revoke: {
        id: 'revokeDigitalProductPurchase',
        summary: 'Revoke a purchase of a digital product',
        description:
          'Ends access at once and for good. Revoking twice changes nothing. A later grant or order makes another purchase. ' +
          'Needs the role owner or admin.',
        ends: true,
        problems: ['forbidden'],
        tool: {
          description:
            'Takes a digital product away from a student for good, for owners and admins; links to its files stop working. ' +
            'Use it after a mistake or misuse.',
        },
        run: (grants, { principal, parent_id: digital_product_id, tx, ...key }) =>
          grants.revoke(principal, { ...key, digital_product_id }, tx),
      },
    },
  },
});

/** Purchases of all digital products, by their ids alone. */
export const flatDigitalProductGrantCollection = flatCollection(digitalProductGrantCollection, {
  name: 'digital_product_purchases',
  above: 'digital_product_id',
  aboveText: 'The digital product; it never changes',
  create: { id: 'grantDigitalProduct', summary: 'Grant the digital product that the body names' },
});
