import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { memberStateSchema, roleSchema } from '../platform/principal.js';

/**
 * Changes of members by operators; `aggregate_id` is the id of the member. Names and addresses are only in
 * `identity.role.*`, from which the removal of a member deletes them.
 */
export const memberEvents = defineEntityEvents({
  context: 'school',
  entity: 'member',
  version: 1,
  names: ['invited', 'updated', 'suspended', 'reinstated', 'removed', 'republished'],
  data: z.object({
    member_id: z.uuid(),
    site_id: z.uuid(),
    state: memberStateSchema,
    roles: z.array(roleSchema),
  }),
});
