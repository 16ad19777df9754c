import type { TestSite } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';
import { unique } from './new-course.js';

interface NewMembershipPlan {
  readonly id: string;
  readonly path: string;
  readonly prices: readonly { readonly id: string }[];
}

/** Creates a plan with the given members, at the first site by default. Activates it, unless its state is draft. */
export async function newMembershipPlan(
  api: TestApi,
  { state = 'active', ...body }: Readonly<Record<string, unknown>> = {},
  site: TestSite = api.sites[0],
): Promise<NewMembershipPlan> {
  const prices = [{ price: { amount_minor: 100, currency: 'TWD' } }];
  const created = await api.send<NewMembershipPlan>('POST', '/api/v1/membership_plans', {
    site,
    body: { name: 'A plan', slug: unique('plan'), plan_type: 'lifetime', prices, ...body },
  });
  expect([created.status, created.text]).toEqual([201, created.text]);
  const path = `/api/v1/membership_plans/${created.body.id}`;
  if (state === 'active') expect((await api.send('POST', `${path}/activate`, { site })).status).toBe(200);
  return { ...created.body, path };
}
