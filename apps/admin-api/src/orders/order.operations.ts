import { collection } from '@lyceum/collections';
import { listBelow } from '@lyceum/rest';
import { MemberService } from '#src/members/member.service.js';
import { Order } from './order.entity.js';
import { order } from './order.schema.js';
import { OrderService } from './order.service.js';

/** Members of an order in lists of tools. */
const ITEM = ['id', 'number', 'state', 'buyer_name', 'currency', 'total_minor', 'refunded_minor', 'paid_at'] as const;

const view = {
  payment_refusal: ({ state, payment_refusal }: Pick<Order, 'state' | 'payment_refusal'>) =>
    state === 'pending' ? payment_refusal : null,
};

export const shownOrder = { resource: order, view, personal: true };

export const orderCollection = collection({
  ...shownOrder,
  name: 'orders',
  description: 'Sales and refunds of the school, as its programs have recorded them, for its owners and admins.',
  scope: 'orders',
  service: OrderService,
  row: Order,
  toolItem: ITEM,
  operations: {
    list: {
      id: 'listOrders',
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
      run: (orders, { principal, query }) => orders.list(principal, query),
    },
    get: {
      id: 'getOrder',
      summary: 'Get an order',
      description: 'Returns the lines with what each of them gave, and the refunds. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one order with its lines, what each of them gave and the refunds, for owners and admins. Use it with an ' +
          'id from list_orders.',
      },
      run: (orders, { principal, id }) => orders.get(principal, id),
    },
  },
});

export const memberPurchaseCollection = collection({
  ...shownOrder,
  name: 'purchases',
  scope: 'members',
  service: [OrderService, MemberService],
  row: Order,
  parent: { name: 'members', one: 'member' },
  toolItem: ITEM,
  operations: {
    list: {
      id: 'listMemberPurchases',
      summary: 'List the purchases of a member',
      description: 'Returns the orders of the member as a student, of every state. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the orders of one member, of every state, newest first, for owners and admins. Use it to answer what a ' +
          'person bought; get_order has the lines.',
      },
      run: ([orders, members], { principal, parent_id, query }) =>
        listBelow(orders.list(principal, query, { member_id: parent_id }), () =>
          members.requireMember(principal, parent_id),
        ),
    },
  },
});
