import type { Cases } from '@lyceum/collections/conventions';
import { course } from './course-cases.js';
import { ADMINISTRATORS } from './unfenced.js';

const price = { amount_minor: 100, currency: 'TWD' };

export const membershipPlanCases: Cases = {
  create: async (unique, other) => ({
    slug: unique,
    name: `Plan ${unique}`,
    plan_type: 'recurring',
    prices: [{ interval: 'month', price, trial_days: 14 }],
    course_ids: [(await other('/api/v1/courses', course(unique)))['id']],
    external_id: unique,
  }),
  references: ['course_ids'],
  patch: {
    name: 'Renamed',
    visible: false,
    quantity: 100,
    prices: [{ interval: 'year', price }],
    course_ids: [],
    metadata: { a: 'b' },
  },
  unique: ['slug', 'external_id'],
  readOnly: ['state', 'sold_count'],
  // A dry run shows other ids of new prices.
  derived: ['prices'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: { activate: { draft: 'active' }, archive: { active: 'archived' } },
    sealed: ['archived'],
  },
  search: ({ slug }) => String(slug),
  filters: {
    state: [({ state }) => state, 'archived'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  // The type of a plan decides which other members it has: membership-plans.spec.ts has their limits.
  exempt: ['accepts members at their limits'],
  unfenced: ADMINISTRATORS,
};
