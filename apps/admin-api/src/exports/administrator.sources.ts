import { View } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import { shownActivity } from '#src/activity/activity.operations.js';
import { ActivityService } from '#src/activity/activity.service.js';
import { shownMember } from '#src/members/member.operations.js';
import { MemberService } from '#src/members/member.service.js';
import { shownOrder } from '#src/orders/order.operations.js';
import { OrderService } from '#src/orders/order.service.js';
import type { Source } from './export.source.js';

/** The collections that only owners and admins read. */
@Injectable()
export class AdministratorSources {
  readonly sources: Readonly<Record<'orders' | 'members' | 'activity', Source>>;

  constructor(orders: OrderService, members: MemberService, activity: ActivityService) {
    this.sources = {
      orders: {
        forAdministrators: true,
        view: new View(shownOrder),
        resource: shownOrder.resource,
        list: (caller, query) => orders.list(caller, query),
      },
      members: {
        forAdministrators: true,
        view: new View(shownMember),
        resource: shownMember.resource,
        list: (caller, query) => members.list(caller, query),
      },
      activity: {
        forAdministrators: true,
        view: new View(shownActivity),
        resource: shownActivity.resource,
        list: ({ site_id, roles = [] }, query) => activity.list({ site_id, roles }, query),
      },
    };
  }
}
