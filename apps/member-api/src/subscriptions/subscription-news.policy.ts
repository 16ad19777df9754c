import type { subscriptionEvents } from '@lyceum/contracts';
import type { z } from 'zod';

type State = z.output<(typeof subscriptionEvents)['data']>['state'];

/** What a member is told when a subscription to a plan comes into a state; null for what is no news to them. */
export function subscriptionNews(state: State, plan: string): { title: string; body: string } | null {
  switch (state) {
    case 'active':
      return { title: `Your membership ${plan} is active`, body: 'All that belongs to it is open for you.' };
    case 'past_due':
      return { title: `Your membership ${plan} needs attention`, body: 'It could not be renewed yet.' };
    case 'canceled':
      return { title: `Your membership ${plan} is canceled`, body: 'It will not be renewed.' };
    case 'expired':
      return { title: `Your membership ${plan} has ended`, body: 'What belonged to it is closed for you.' };
    case 'pending':
      return null;
  }
}
