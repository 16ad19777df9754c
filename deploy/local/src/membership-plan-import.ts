import { z } from 'zod';
import type { DemoMembershipPlan } from './demo-membership-plans.js';
import type { OperatorApi } from './operator-api.js';

const PLANS = '/api/v1/membership_plans';

const plan = z.object({ id: z.uuid(), state: z.string(), prices: z.tuple([z.object({ id: z.uuid() })], z.unknown()) });
const plans = z.object({ data: z.array(plan) });

/**
 * Creates the membership plans that are missing, and activates drafts. Returns the id of the first price of each by the
 * `external_id` of the plan.
 */
export async function importMembershipPlans(
  api: OperatorApi,
  declared: readonly DemoMembershipPlan[],
  courseOf: (slug: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const bought = new Map<string, string>();
  for (const { external_id, name, terms, courses } of declared) {
    const { data } = plans.parse((await api.send('GET', `${PLANS}?external_id=${external_id}`)).body);
    const create = async () => {
      const body = { slug: external_id, name, ...terms, course_ids: courses.map(courseOf) };
      return plan.parse((await api.send('PUT', `${PLANS}/by_external_id/${external_id}`, { body })).body);
    };
    const { id, state, prices } = data[0] ?? (await create());
    if (state === 'draft') await api.send('POST', `${PLANS}/${id}/activate`);
    bought.set(external_id, prices[0].id);
  }
  return bought;
}
