import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

export const MEMBERSHIP_PLAN_TYPES = ['recurring', 'fixed_date', 'specific_length', 'lifetime'] as const;

/** A membership plan of the site. Subscriptions name its id, and sales name the id of one of its prices. */
export const membershipPlanEvents = defineEntityEvents({
  context: 'school',
  entity: 'membership_plan',
  version: 1,
  names: ['created', 'updated', 'activated', 'archived', 'deleted', 'republished'],
  data: z.object({
    membership_plan_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    plan_type: z.enum(MEMBERSHIP_PLAN_TYPES),
    state: z.enum(['draft', 'active', 'archived', 'deleted']),
    /** False: active, but not in the catalog. */
    visible: z.boolean(),
    /** End of the sale; null: no end. */
    ends_at: instantSchema.nullable(),
  }),
});
