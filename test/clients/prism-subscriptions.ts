import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of subscriptions. */
export async function useSubscriptions(proxy: ValidationProxy, unique: string): Promise<void> {
  const plan = { name: 'By Prism', slug: `subscribed-${unique}`, plan_type: 'recurring' };
  const prices = [{ interval: 'month', price: { amount_minor: 100, currency: 'TWD' } }];
  const made = await proxy.send<{ id: string; prices: { id: string }[] }>('createMembershipPlan', 201, {
    body: { ...plan, prices },
  });
  await proxy.send('activateMembershipPlan', 200, { path: { id: made.id } });
  const student = await proxy.send('createStudent', 201, { body: { email: `subscriber-${unique}@example.com` } });
  const body = { student_id: student.id, price_id: made.prices[0]?.id };
  const { id } = await proxy.write('createSubscription', 201, { body });
  const path = { id };
  await proxy.list('listSubscriptions');
  await proxy.get('getSubscription', { path });
  await proxy.write('updateSubscription', 200, { path, body: { current_period_end: '2099-01-01T00:00:00Z' } });
  await proxy.write('cancelSubscription', 200, { path, body: { reason: 'Moves' } });
  await proxy.write('resumeSubscription', 200, { path });
  await proxy.send('cancelSubscription', 200, { path, body: { at_period_end: false } });
}
