import { collection, rowOf } from '@lyceum/collections';
import { summaryOf } from './activity.policy.js';
import type { ActivityEntry } from './activity.repository.js';
import { activity } from './activity.schema.js';
import { ActivityService } from './activity.service.js';

export const shownActivity = {
  resource: activity,
  view: {
    summary: summaryOf,
    actor: ({ member_id, name, client_id, via, request_id }: ActivityEntry) => ({
      member_id,
      name,
      client_id,
      via,
      request_id,
    }),
  },
  personal: true,
};

export const activityCollection = collection({
  ...shownActivity,
  name: 'activity',
  scope: 'school',
  service: ActivityService,
  row: rowOf<ActivityEntry>(),
  toolItem: ['id', 'action', 'object_type', 'object_id', 'actor', 'changed_fields', 'created_at'],
  operations: {
    list: {
      id: 'listActivity',
      summary: 'List activity',
      description:
        'Returns the changes that operators and storefronts made, newest first. Only owners and admins of the site can read them. ' +
        'Entries are never changed; old ones are deleted by the month.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the changes that operators and storefronts made at this site, newest first: who changed which object, ' +
          'when, and by which application. Use it to find out who made a change, for owners and admins.',
      },
      run: (activity, { principal, query }) => activity.list(principal, query),
    },
  },
});
