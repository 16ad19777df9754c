import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of membership plans but the reading ones. */
export async function useMembershipPlans(proxy: ValidationProxy, unique: string): Promise<void> {
  const prices = [{ price: { amount_minor: 100, currency: 'TWD' } }];
  const body = { name: 'By Prism', slug: `plan-${unique}`, plan_type: 'lifetime', prices };
  const { id } = await proxy.write('createMembershipPlan', 201, { body });
  const path = { id, external_id: body.slug };
  await proxy.write('putMembershipPlan', 201, { path, body: { ...body, slug: `put-plan-${unique}` } });
  await proxy.write('updateMembershipPlan', 200, { path, body: { quantity: 10 } });
  for (const action of ['activate', 'archive']) await proxy.write(`${action}MembershipPlan`, 200, { path });
  await proxy.send('deleteMembershipPlan', 409, { path });
  const draft = await proxy.send('createMembershipPlan', 201, { body: { ...body, slug: `draft-plan-${unique}` } });
  await proxy.write('deleteMembershipPlan', 204, { path: { id: draft.id } });
}
