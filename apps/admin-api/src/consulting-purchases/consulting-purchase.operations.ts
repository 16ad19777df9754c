import { Action, Collection, Create, Get, List, Update } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  OfParent,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { ConsultingPurchase } from './consulting-purchase.entity.js';
import { PURCHASE_STATES, stateAt } from './consulting-purchase.policy.js';
import { consultingPurchase } from './consulting-purchase.schema.js';
import type {
  ConsultingPurchaseCreate,
  ConsultingPurchaseListQuery,
  ConsultingPurchasePatch,
} from './consulting-purchase.schema.js';
import { ConsultingPurchaseService } from './consulting-purchase.service.js';

const stateOf = (row: ConsultingPurchase) => stateAt(row, new Date());

@Collection<ConsultingPurchase>({
  name: 'purchases',
  scope: 'students',
  parent: { name: 'consulting_services', one: 'consulting service' },
  resource: consultingPurchase,
  view: {
    state: stateOf,
    sessions_remaining: ({ sessions_total, sessions_used }) => sessions_total - sessions_used,
  },
  // A purchase expires without an edit, so the tag includes the state.
  etag: (row) => rowTag(row.version, PURCHASE_STATES.indexOf(stateOf(row))),
  personal: true,
  toolItem: ['id', 'student_id', 'state', 'expires_at', 'sessions_total', 'sessions_used', 'sessions_remaining'],
})
@Injectable()
export class ConsultingPurchaseOperations {
  constructor(private readonly purchases: ConsultingPurchaseService) {}

  @List('listConsultingPurchases', {
    summary: 'List the purchases of a consulting service',
    description: 'Returns purchases of every state, or those of one student, with the sessions that are left.',
    tool: {
      description:
        'Lists who has bought sessions of a consulting service, newest first, with the sessions that are left. Use it ' +
        'to find the purchase of a student, which create_booking takes.',
    },
  })
  list({
    principal,
    parent_id,
    query,
  }: ListRequest<ConsultingPurchaseListQuery> & OfParent): Promise<Page<ConsultingPurchase>> {
    return this.purchases.list(principal, query, { consulting_service_id: parent_id });
  }

  @Get('getConsultingPurchase', {
    summary: 'Get a purchase of a consulting service',
    description: 'Returns the sessions that are used and left, and until when they can be booked.',
  })
  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<ConsultingPurchase> {
    return this.purchases.get(principal, id, { consulting_service_id: parent_id });
  }

  @Create('grantConsultingPurchase', {
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
  })
  create({
    principal,
    parent_id,
    body,
    tx,
  }: CreateRequest<ConsultingPurchaseCreate> & OfParent): Promise<Created<ConsultingPurchase>> {
    return this.purchases.grant(principal, { consulting_service_id: parent_id }, body, tx);
  }

  @Update('updateConsultingPurchase', {
    summary: 'Extend a purchase of a consulting service',
    description:
      'JSON Merge Patch (RFC 7396). `expires_at` extends or shortens the time for bookings, `sessions_total` adds ' +
      'sessions or takes unused ones. Needs the role owner or admin. A revoked purchase cannot change.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Changes how many sessions a purchase has and until when they can be booked, for owners and admins. Use it to ' +
        'add sessions or time; revoke_consulting_purchase ends it.',
    },
  })
  update({
    principal,
    parent_id: consulting_service_id,
    body,
    tx,
    ...key
  }: ChangeRequest<ConsultingPurchasePatch> & OfParent): Promise<Written<ConsultingPurchase>> {
    return this.purchases.extend(principal, { ...key, consulting_service_id }, body, tx);
  }

  @Action('revokeConsultingPurchase', 'revoke', {
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
  })
  revoke({
    principal,
    parent_id: consulting_service_id,
    tx,
    ...key
  }: ChangeRequest & OfParent): Promise<Written<ConsultingPurchase>> {
    return this.purchases.revoke(principal, { ...key, consulting_service_id }, tx);
  }
}
