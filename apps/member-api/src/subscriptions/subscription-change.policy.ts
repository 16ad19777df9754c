import type { subscriptionEvents } from '@lyceum/contracts';
import type { z } from 'zod';

type State = z.output<(typeof subscriptionEvents)['data']>['state'];

/** The parameter `change` of the notification for a new state of a subscription; null for no notification. */
export function subscriptionChange(state: State): 'active' | 'past_due' | 'canceled' | 'expired' | null {
  switch (state) {
    case 'active':
    case 'past_due':
    case 'canceled':
    case 'expired':
      return state;
    case 'pending':
      return null;
  }
}
