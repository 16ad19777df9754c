import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest, OfParent } from '@lyceum/collections';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { MemberService } from '#src/members/member.service.js';
import type { Order } from './order.entity.js';
import { order } from './order.schema.js';
import type { OrderListQuery } from './order.schema.js';
import { OrderService } from './order.service.js';

export const shownOrder = { resource: order, personal: true };

@Collection<Order>({
  ...shownOrder,
  name: 'orders',
  description: 'Sales and refunds of the school, as its programs have recorded them, for its owners and admins.',
  toolItem: ['id', 'number', 'state', 'buyer_name', 'currency', 'total_minor', 'refunded_minor', 'paid_at'],
})
@Injectable()
export class OrderOperations {
  constructor(private readonly orders: OrderService) {}

  @List('listOrders', {
    summary: 'List orders',
    description:
      'Orders of every state. With `sort=paid_at`, only orders that were paid. Needs the role owner or admin. An export ' +
      'of the collection `orders` has all of them as a file.',
    problems: ['forbidden'],
    tool: {
      description:
        'Lists the orders of this site, newest first, for owners and admins: all, or those of a student, a state, a ' +
        'source or a kind of item. Use it to answer what was bought and paid; get_order has the lines.',
    },
  })
  list({ principal, query }: ListRequest<OrderListQuery>): Promise<Page<Order>> {
    return this.orders.list(principal, query);
  }

  @Get('getOrder', {
    summary: 'Get an order',
    description: 'Returns the lines with what each of them gave, and the refunds. Needs the role owner or admin.',
    problems: ['forbidden'],
    tool: {
      description:
        'Reads one order with its lines, what each of them gave and the refunds, for owners and admins. Use it with an ' +
        'id from list_orders.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<Order> {
    return this.orders.get(principal, id);
  }
}

@Collection<Order>({
  ...shownOrder,
  name: 'purchases',
  scope: 'members',
  parent: { name: 'members', one: 'member' },
})
@Injectable()
export class MemberPurchaseOperations {
  constructor(
    private readonly orders: OrderService,
    private readonly members: MemberService,
  ) {}

  @List('listMemberPurchases', {
    summary: 'List the purchases of a member',
    description: 'Returns the orders of the member as a student, of every state. Needs the role owner or admin.',
    problems: ['forbidden'],
  })
  async list({ principal, parent_id, query }: ListRequest<OrderListQuery> & OfParent): Promise<Page<Order>> {
    const page = await this.orders.list(principal, query, { member_id: parent_id });
    // A page with rows proves that the member exists.
    if (page.rows.length === 0) await this.members.requireMember(principal, parent_id);
    return page;
  }
}
