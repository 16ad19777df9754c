import { listActivity } from '@lyceum/contracts';
import type { ActivitySummary } from '@lyceum/contracts';
import { Requests } from '@lyceum/messaging';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { summaryOf } from './activity.policy.js';
import type { ActivityEntry } from './activity.repository.js';
import { ActivityService } from './activity.service.js';

/** Lists the activity of a site for the admin area, whose pages auth serves. */
@Injectable()
export class ActivityResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly activity: ActivityService,
  ) {}

  onModuleInit(): void {
    this.requests.handle(listActivity, async ({ roles, cursor, limit }, { site_id }) => {
      const query = { limit, sort: '-created_at', include_total: false, cursor: cursor ?? undefined };
      const { rows, next } = await this.activity.list({ site_id, roles }, query);
      return {
        entries: rows.map((entry) => ({
          id: entry.id,
          summary: summaryOf(entry),
          change: changeOf(entry),
          client_id: entry.client_id,
          via: entry.via,
          created_at: iso(entry.created_at),
        })),
        next_cursor: next,
      };
    });
  }
}

const changeOf = ({ name, action, object_type, changed_fields }: ActivityEntry): ActivitySummary['change'] => ({
  name,
  action,
  object_type,
  changed_fields: [...changed_fields],
});
