import type { Principal } from '@lyceum/contracts';
import { Pager } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ActivityRepository } from './activity.repository.js';
import type { ActivityEntry } from './activity.repository.js';
import type { ActivityListQuery } from './activity.schema.js';

@Injectable()
export class ActivityService {
  constructor(
    private readonly entries: ActivityRepository,
    private readonly pager: Pager,
  ) {}

  /** @throws `forbidden` unless the caller is an owner or an admin of the site. */
  list(principal: Pick<Principal, 'site_id' | 'roles'>, query: ActivityListQuery): Promise<Page<ActivityEntry>> {
    requireAdministrator(principal, 'read its activity');
    const list = { collection: 'activity', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.entries.list(principal, query, after));
  }
}
