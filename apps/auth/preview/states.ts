import { ACCOUNT_STATES } from './account.states.ts';
import { ADMIN_STATES } from './admin.states.ts';
import { FRONT_STATES } from './front.states.ts';
import { SIGN_IN_STATES } from './sign-in.states.ts';
import type { State } from './state.ts';

/** Every page of auth in every state, by group. */
export const GROUPS: Readonly<Record<string, readonly State[]>> = {
  'Sign-in': SIGN_IN_STATES,
  Account: ACCOUNT_STATES,
  'Admin area': ADMIN_STATES,
  'Visitors and developers': FRONT_STATES,
};

export const STATES: readonly State[] = Object.values(GROUPS).flat();
