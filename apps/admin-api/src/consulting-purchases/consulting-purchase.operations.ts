import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { ConsultingPurchase } from './consulting-purchase.entity.js';
import { PURCHASE_STATES, stateAt } from './consulting-purchase.policy.js';
import { consultingPurchase } from './consulting-purchase.schema.js';
import { ConsultingPurchaseService } from './consulting-purchase.service.js';

const stateOf = (row: ConsultingPurchase) => stateAt(row, new Date());

export const consultingPurchaseCollection = collection({
  name: 'purchases',
  scope: 'students',
  service: ConsultingPurchaseService,
  row: ConsultingPurchase,
  parent: { name: 'consulting_services', one: 'consulting service' },
  resource: consultingPurchase,
  view: {
    state: stateOf,
    sessions_remaining: ({ sessions_total, sessions_used }) => sessions_total - sessions_used,
  },
  // A purchase expires without an edit, so the tag includes the state.
  etag: (row) => rowTag(row.revision, PURCHASE_STATES.indexOf(stateOf(row))),
  personal: true,
  toolItem: ['id', 'student_id', 'state', 'expires_at', 'sessions_total', 'sessions_used', 'sessions_remaining'],
  operations: {
    list: {
      id: 'listConsultingPurchases',
      summary: 'List the purchases of a consulting service',
      description: 'Returns purchases of every state, or those of one student, with the sessions that are left.',
      tool: {
        description:
          'Lists who has bought sessions of a consulting service, newest first, with the sessions that are left. Use it ' +
          'to find the purchase of a student, which create_booking takes.',
      },
      run: (purchases, { principal, parent_id, query }) =>
        purchases.list(principal, query, { consulting_service_id: parent_id }),
    },
    get: {
      id: 'getConsultingPurchase',
      summary: 'Get a purchase of a consulting service',
      description: 'Returns the sessions that are used and left, and until when they can be booked.',
      run: (purchases, { principal, parent_id, id }) =>
        purchases.get(principal, id, { consulting_service_id: parent_id }),
    },
    create: {
      id: 'grantConsultingPurchase',
      summary: 'Grant sessions of a consulting service',
      description:
        'Gives a student sessions. The service sets the default number and validity. Needs the role owner or admin. ' +
        'Each grant is a purchase of its own; `external_id` keeps a repetition from making another one.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Gives a student sessions of a consulting service, for owners and admins; each call makes another purchase. Use ' +
          'it after a sale or as a gift; update_consulting_purchase adds sessions to a purchase that exists.',
      },
      run: (purchases, { principal, parent_id, body, tx }) =>
        purchases.grant(principal, { consulting_service_id: parent_id }, body, tx),
    },
    update: {
      id: 'updateConsultingPurchase',
      summary: 'Update a purchase of a consulting service',
      description:
        'JSON Merge Patch (RFC 7396). `expires_at` extends or shortens the time for bookings, `sessions_total` adds ' +
        'sessions or takes unused ones. Needs the role owner or admin. A revoked purchase cannot change.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes how many sessions a purchase has and until when they can be booked, for owners and admins. Use it to ' +
          'add sessions or time; revoke_consulting_purchase ends it.',
      },
      run: (purchases, { principal, parent_id: consulting_service_id, body, tx, ...key }) =>
        purchases.extend(principal, { ...key, consulting_service_id }, body, tx),
    },
    actions: {
      revoke: {
        id: 'revokeConsultingPurchase',
        summary: 'Revoke a purchase of a consulting service',
        description:
          'Revokes for good, and only while none of its sessions is booked. Revoking twice changes nothing. Needs the role ' +
          'owner or admin.',
        ends: true,
        problems: ['forbidden', 'resource_in_use'],
        tool: {
          description:
            'Takes the sessions of a purchase away for good, for owners and admins; one with a booked session is refused. ' +
            'Use it after a refund or a mistake.',
        },
        run: (purchases, { principal, parent_id: consulting_service_id, tx, ...key }) =>
          purchases.revoke(principal, { ...key, consulting_service_id }, tx),
      },
    },
  },
});

/** Purchases of all consulting services, by their ids alone. */
export const flatConsultingPurchaseCollection = flatCollection(consultingPurchaseCollection, {
  name: 'consulting_purchases',
  above: 'consulting_service_id',
  aboveText: 'The consulting service of the sessions; it never changes',
  create: { id: 'grantConsultingSessions', summary: 'Grant sessions of the consulting service that the body names' },
});
